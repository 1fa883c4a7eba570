import type { Logger } from '@casefile/contracts';
import { DEFAULT_SCHEMA, PostgresConnection, PostgresQueueBackend, runMigrations, type PgPool } from 'bullmq';
import { EventEmitter } from 'node:events';
import { createQueuePool } from './postgres-pool.js';
import { queueUnavailable, type QueueStore } from './queue-store.js';
import { throttledErrors } from './throttled-errors.js';

/**
 * Opens the Postgres store, in its schema `bullmq`. BullMQ's own factory gives every queue and worker
 * a pool and a listening connection; here the process has one of each, so that many services fit into
 * Postgres's connections.
 * @throws CasefileError `queue_unavailable` when the schema cannot be prepared.
 */
export async function openPostgresStore(url: string, log: Logger, poolSize: number): Promise<QueueStore> {
  const pool = createQueuePool(url, poolSize + 1, DEFAULT_SCHEMA);
  const connection = new PostgresConnection(pool);
  // Every queue and worker of the process listens to its events.
  connection.setMaxListeners(0);
  connection.on('error', throttledErrors(log, 'Postgres'));
  try {
    await migrate(pool);
    await allowManyListeners(connection);
  } catch (cause) {
    await connection.close();
    await pool.end();
    throw queueUnavailable(cause instanceof Error ? cause.message : String(cause), cause);
  }
  return {
    kind: 'postgres',
    handle: pool,
    prefix: '',
    backend: (name, opts) => sharedBackend(connection, name, opts),
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
function sharedBackend(connection: PostgresConnection, name: string, opts: object): PostgresQueueBackend {
  const backend = new PostgresQueueBackend(connection, name, opts as BackendOptions, false);
  connection.on('listenerinvalidated', () => {
    void backend.disconnectBlocking().then(() => backend.reconnectBlocking());
    void allowManyListeners(connection).catch(() => undefined);
  });
  return backend;
}

/** Every waiting worker hangs a listener on the one client. Node would warn from the eleventh on. */
async function allowManyListeners(connection: PostgresConnection): Promise<void> {
  const client: unknown = await connection.getListenClient();
  if (client instanceof EventEmitter) client.setMaxListeners(0);
}
