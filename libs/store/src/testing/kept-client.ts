import pg from 'pg';

/** A connection per database, because a new one costs Postgres about 50 ms of processor time. */
const kept = new Map<string, Promise<pg.Client>>();

/**
 * Returns a connection of test helpers to this database, which is opened once and kept. Callers await each statement,
 * and leave no transaction and no session setting behind.
 */
export function keptClient(databaseUrl: string): Promise<pg.Client> {
  const known = kept.get(databaseUrl);
  if (known !== undefined) return known;
  const opening = open(databaseUrl);
  kept.set(databaseUrl, opening);
  return opening;
}

/** Closes the kept connection to a database, for example before it is dropped or copied. */
export async function closeKept(databaseUrl: string): Promise<void> {
  const client = kept.get(databaseUrl);
  kept.delete(databaseUrl);
  await (await client?.catch(() => undefined))?.end();
}

async function open(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  const forget = (): void => void kept.delete(databaseUrl);
  // A test may end every connection of its database, or the server.
  client.on('error', forget).on('end', forget);
  try {
    await client.connect();
  } catch (error) {
    forget();
    throw error;
  }
  // An idle connection does not keep the process of the tests alive.
  (client as unknown as { connection: { stream: { unref(): void } } }).connection.stream.unref();
  return client;
}
