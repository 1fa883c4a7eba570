import { randomUUID } from 'node:crypto';
import { InvalidInput } from '@casefile/contracts';
import pg from 'pg';
import { LACKING } from './session-settings.js';
import { asStoreError } from './store-errors.js';

/** A machine that is short of processor time takes long to open a connection. A start waits for it. Milliseconds. */
const START_PATIENCE_MS = 60_000;
/** Other clients of a pooler can hide once that it shares connections, not so often. */
const TRIES = 5;
/** A setting of a session that no server knows. */
const MARK = 'casefile_start.session';

export interface DatabaseAddresses {
  databaseUrl: string;
  /** Address of the server itself, if `databaseUrl` leads to a pooler. */
  directUrl?: string;
}

/**
 * Proves that sessions last: a statement that a session prepares, and a channel on which it listens, belong to its
 * later transactions. A pooler in transaction mode gives each transaction any connection.
 * @returns statements that the owner of the database should run, for a pooled database whose user lacks settings.
 * @throws InvalidInput that names DATABASE_DIRECT_URL; CasefileError `store_unreachable`.
 */
export async function proveSessions({ databaseUrl, directUrl }: DatabaseAddresses): Promise<string[]> {
  if (!(await sessionsLast(directUrl ?? databaseUrl))) {
    const message =
      directUrl === undefined
        ? 'expected the address of the server itself, because DATABASE_URL leads to a pooler that shares connections between transactions (PgBouncer in transaction mode)'
        : 'expected the address of the server itself, and not of a pooler that shares connections between transactions';
    throw new InvalidInput([{ path: 'DATABASE_DIRECT_URL', message }], 'configuration');
  }
  return directUrl === undefined ? [] : missingSettings(databaseUrl);
}

async function sessionsLast(url: string): Promise<boolean> {
  const [first, second] = [await open(url), await open(url)];
  try {
    for (let tries = 0; tries < TRIES; tries += 1) if (!(await lasts(first, second))) return false;
    return true;
  } catch (error) {
    throw asStoreError(error);
  } finally {
    await Promise.all([first.end(), second.end()]);
  }
}

/** Marks the session of `first`. It is shared if `second` sees the mark, or `first` loses it meanwhile. */
async function lasts(first: pg.Client, second: pg.Client): Promise<boolean> {
  const mark = randomUUID();
  await first.query('select set_config($1, $2, false)', [MARK, mark]);
  await second.query('begin');
  try {
    return (await markOf(second)) !== mark && (await markOf(first)) === mark;
  } finally {
    await second.query('commit');
  }
}

async function markOf(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ mark: string | null }>('select current_setting($1, true) as mark', [
    MARK,
  ]);
  return rows[0]?.mark ?? null;
}

async function missingSettings(url: string): Promise<string[]> {
  const client = await open(url);
  try {
    const { rows } = await client.query<{ role: string; name: string; value: string }>(LACKING);
    return rows.map(({ role, name, value }) => `alter role ${role} set ${name} = ${value};`);
  } catch (error) {
    throw asStoreError(error);
  } finally {
    await client.end();
  }
}

async function open(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    application_name: 'casefile-start',
    connectionTimeoutMillis: START_PATIENCE_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw asStoreError(error);
  }
}
