import { messageWithoutValues, type Logger } from '@casefile/contracts';
import { DEFAULT_SCHEMA, PostgresQueueBackend, runMigrations, type PgPool, PostgresConnection } from 'bullmq';
import { queueUnavailable, type QueueStore } from './queue-store.js';
import { throttledErrors } from './throttled-errors.js';
import { EventEmitter } from 'node:events';
import pg from 'pg';
import { POSTGRES_CONNECT_TIMEOUT_MS } from './queue-options.js';

/**
 * Opens the Postgres store, in its schema `bullmq`. BullMQ's own factory gives every queue and worker a pool
 * and a listening connection. Here a process has one of each, so that many services fit into Postgres's
 * connections.
 * @throws CasefileError `queue_unavailable` if the schema cannot be prepared.
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
    throw queueUnavailable(null, messageWithoutValues(cause), cause);
  }
  return {
    kind: 'postgres',
    handle: pool,
    report,
    prefix: '',
    backend: (name, opts) => sharedBackend(connection, name, opts),
    // Its pool reports an outage immediately.
    unavailable: () => null,
    unusable: () => null,
    proven: Promise.resolve(),
    evictionPolicy: () => null,
    stalled: null,
    claim: async () => true,
    probe: async () => void (await pool.query('select 1')),
    close: async () => {
      await connection.close();
      await pool.end();
    },
  };
}

/**
 * Runs the migrations, once per process, on one session. Processes that start together wait for each other on
 * an advisory lock.
 */
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
 * Returns a backend that does not own the connection, so that closing one worker leaves it to the others.
 * BullMQ notifies only owners of a lost listening connection. We notify the other backends, which then listen
 * again.
 */
function sharedBackend(connection: SharedConnection, name: string, opts: object): PostgresQueueBackend {
  const backend = new PostgresQueueBackend(connection, name, opts as BackendOptions, false);
  connection.on('listenerinvalidated', () => {
    void backend.disconnectBlocking().then(() => backend.reconnectBlocking());
  });
  return backend;
}

type ListenClient = Awaited<ReturnType<PostgresConnection['getListenClient']>>;

/**
 * A Postgres connection whose listening client serves every worker of the process. Workers issue LISTEN on
 * it, some at the same moment. Its statements therefore run one after the other, and the number of its
 * listeners is not limited.
 */
class SharedConnection extends PostgresConnection {
  private readonly shared = new WeakMap<ListenClient, ListenClient>();

  constructor(pool: PgPool) {
    super(pool);
    // Every queue and worker of the process listens to its events.
    this.setMaxListeners(0);
  }

  /**
   * The schema is prepared before. BullMQ would check it again at the first query and remember a failure: a
   * process that got no connection then would fetch and send no job until its end.
   */
  override async waitUntilReady(): Promise<void> {}

  override async getListenClient(): Promise<ListenClient> {
    const client = await super.getListenClient();
    const known = this.shared.get(client);
    if (known !== undefined) return known;
    if (client instanceof EventEmitter) client.setMaxListeners(0);
    const made = oneByOne(client);
    this.shared.set(client, made);
    return made;
  }
}

function oneByOne(client: ListenClient): ListenClient {
  let last: Promise<unknown> = Promise.resolve();
  const shared: ListenClient = {
    connection: client.connection,
    query<R>(text: string, params?: readonly unknown[]) {
      const next = last.then(() => client.query<R>(text, params));
      // Only the caller gets the error. The next statement runs in any case.
      last = next.catch(() => undefined);
      return next;
    },
    on(event: 'notification' | 'error' | 'end', listener: (...args: never[]) => void) {
      client.on(event as 'end', listener as () => void);
      return shared;
    },
    removeListener(event: 'notification', listener) {
      client.removeListener(event, listener);
      return shared;
    },
    removeAllListeners(event) {
      client.removeAllListeners(event);
      return shared;
    },
  };
  return shared;
}

/**
 * SQLSTATEs of temporary errors, which are not errors of the statement: the server starts or stops, is
 * read-only (25006), refuses the user (28), lacks disk, memory or connections (53), or its disk fails (58).
 */
const NOT_NOW = /^(08|25006|28|53|57P0|58)/;

/**
 * A connection may break while it is lent and idle. Its holder learns that at the next statement. Without its
 * own error listener, the break would end the process.
 */
class QueueClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

/**
 * Returns a pg.Pool whose connection failures have the form that BullMQ expects. BullMQ recognises a lost
 * connection only by ECONNREFUSED. On a Unix socket, on a server shutdown or on a full disk, the error is
 * another one. A worker would then retry without a pause, and fail jobs that were done.
 * @param size all connections, including the one that listens.
 */
function createQueuePool(url: string, size: number, schema: string): PgPool {
  const pool = new pg.Pool({
    Client: QueueClient,
    connectionString: url,
    max: size,
    connectionTimeoutMillis: POSTGRES_CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'casefile-queue',
    options: `-c search_path=${schema}`,
  });
  const wrapper = {
    /** BullMQ checks here that dropped connections are noticed. */
    options: { keepAlive: true },
    query: (text: string, params?: readonly unknown[]) =>
      lostAsRefused(() => queryOnce(pool, text, params as unknown[])),
    connect: () => lostAsRefused(() => pool.connect()),
    end: () => pool.end(),
    on(event: 'error' | 'connect', listener: (...args: never[]) => void) {
      pool.on(event as 'error', listener as (error: Error) => void);
      return wrapper;
    },
    removeAllListeners(event?: string) {
      pool.removeAllListeners(event as 'error');
      return wrapper;
    },
  };
  return wrapper as unknown as PgPool;
}

/**
 * Runs a statement on a connection of the pool. `pool.query` closes the connection after every error. BullMQ's
 * functions raise an error for each job that another worker has taken over, and many such errors on a busy machine
 * cost so many new connections that locks of further jobs ended, without end.
 */
async function queryOnce(pool: pg.Pool, text: string, params: unknown[]): Promise<pg.QueryResult> {
  const client = await pool.connect();
  try {
    const result = await client.query(text, params);
    client.release();
    return result;
  } catch (error) {
    client.release(isLostConnection(error));
    throw error;
  }
}

async function lostAsRefused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isLostConnection(error)) throw error;
    const message = `Postgres cannot be reached: ${messageWithoutValues(error)}`;
    throw Object.assign(new Error(message, { cause: error }), {
      code: 'ECONNREFUSED',
    });
  }
}

/**
 * Returns whether an error means a lost connection, that is, anything but the server's answer about the
 * statement.
 */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return true;
  return NOT_NOW.test(error.code ?? '');
}
