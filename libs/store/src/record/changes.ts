import { CHANGE_SUBJECTS, type Changes, type ChangeSubject } from '@casefile/contracts';
import pg from 'pg';
import type { Database } from '../database.js';
import { asStoreError } from '../store-errors.js';

/** Channels that triggers and processes notify. That of a rollout is older than the others. */
const CHANNELS: ReadonlyMap<string, ChangeSubject> = new Map([
  ['casefile_rollout', 'settings'],
  ...CHANGE_SUBJECTS.map((subject): [string, ChangeSubject] => [`casefile_${subject}`, subject]),
]);
const CONNECT_TIMEOUT_MS = 3_000;

/** Shortest time between two notifications of work by one process, in milliseconds. */
const WORK_EVERY_MS = 5_000;
const NOTIFY_WORK = `select pg_notify('casefile_work', '')`;

/** Listens for the notifications of Postgres. */
export function postgresChanges(database: Pick<Database, 'sessionUrl'>): Changes {
  return { listen: (changed, lost) => listen(database.sessionUrl, changed, lost) };
}

/**
 * Returns a function that notifies of work. Only the first of its calls in 5 s does, because a notification costs a
 * commit: those that it wakes read at short intervals from then on.
 */
export function workNotices(database: Pick<Database, 'rows'>): () => void {
  let notifiedAt = -Infinity;
  return () => {
    if (performance.now() - notifiedAt < WORK_EVERY_MS) return;
    notifiedAt = performance.now();
    // A lost notification only delays those that would wake.
    database.rows(NOTIFY_WORK).catch(() => undefined);
  };
}

async function listen(
  connectionString: string,
  changed: (subject: ChangeSubject) => void,
  lost: (error: Error) => void,
): Promise<() => Promise<void>> {
  const client = new pg.Client({
    connectionString,
    application_name: 'casefile changes',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  let closed = false;
  const end = (error: Error) => {
    if (closed) return;
    closed = true;
    client.end().catch(() => undefined);
    lost(error);
  };
  client.on('notification', ({ channel }) => {
    const subject = CHANNELS.get(channel);
    if (subject !== undefined) changed(subject);
  });
  client.on('error', end);
  client.on('end', () => end(new Error('the connection was closed')));
  try {
    await client.connect();
    await client.query([...CHANNELS.keys()].map((channel) => `listen ${channel}`).join('; '));
  } catch (error) {
    closed = true;
    client.end().catch(() => undefined);
    throw asStoreError(error);
  }
  return async () => {
    closed = true;
    await client.end();
  };
}
