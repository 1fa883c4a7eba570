import type { Logger } from '@casefile/contracts';
import { DEFAULT_SCHEMA, PostgresQueueBackend, runMigrations, type PgPool } from 'bullmq';
import { createQueuePool } from './postgres-pool.js';
import { queueUnavailable, type QueueStore } from './queue-store.js';
import { SharedConnection } from './shared-connection.js';
import { throttledErrors } from './throttled-errors.js';

/**
 * Opens the Postgres store, in its schema `bullmq`. BullMQ's own factory gives every queue and worker
 * a pool and a listening connection; here the process has one of each, so that many services fit into
 * Postgres's connections.
 * @throws CasefileError `queue_unavailable` when the schema cannot be prepared.
 */
export async function openPostgresStore(url: string, log: Logger, poolSize: number): Promise<QueueStore> {
  const pool = createQueuePool(url, poolSize + 1, DEFAULT_SCHEMA);
  const connection = new SharedConnection(pool);
  const report = throttledErrors(log, 'postgres');
  connection.on('error', report);
  try {
    await migrate(pool);
  } catch (cause) {
    await connection.close();
    await pool.end();
    throw queueUnavailable(cause instanceof Error ? cause.message : String(cause), cause);
  }
  return {
    kind: 'postgres',
    handle: pool,
    report,
    prefix: '',
    backend: (name, opts) => sharedBackend(connection, name, opts),
    // Its pool says so at once.
    isAway: () => false,
    probe: async () => void (await pool.query('select 1')),
    close: async () => {
      await connection.close();
      await pool.end();
    },
  };
}

/** Once a process, on one session; processes that start together wait for each other on an advisory lock. */
async function migrate(pool: PgPool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client);
  } finally {
    client.release();
  }
}

type BackendOptions = ConstructorParameters<typeof PostgresQueueBackend>[2];

/**
 * A backend that does not own the connection, so that closing one worker leaves the others theirs.
 * BullMQ tells only owners that the listening connection was lost: we tell the others, who then listen anew.
 */
function sharedBackend(connection: SharedConnection, name: string, opts: object): PostgresQueueBackend {
  const backend = new PostgresQueueBackend(connection, name, opts as BackendOptions, false);
  connection.on('listenerinvalidated', () => {
    void backend.disconnectBlocking().then(() => backend.reconnectBlocking());
  });
  return backend;
}
