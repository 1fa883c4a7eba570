import type { EventEmitter } from 'node:events';
import { CasefileError, type Logger } from '@casefile/contracts';
import pg from 'pg';
import { callerSetting, NAME_CALLER } from './acting.js';
import { SET_SESSION } from './session-settings.js';
import type { Queryable, Statement, Transaction } from './statement.js';
import { asStoreError, isConflict, isReadOnly } from './store-errors.js';

export type { Queryable, Statement, Transaction };

/** Number of tries after a deadlock or a serialization failure. */
const MAX_CONFLICTS = 6;

/** Timeout of a statement in ms. A stopped server must not block the worker forever. */
const QUERY_TIMEOUT_MS = 20_000;
const CONNECT_TIMEOUT_MS = 3_000;

/** Sessions of a process behind a pooler: one for each name under which it can lead, and one to spare. */
const MOST_SESSIONS = 6;

/** Part of each statement that writes events. */
const WRITES_EVENTS = 'insert into events';

export interface DatabaseOptions {
  databaseUrl: string;
  /**
   * Address of the server itself. If set, `databaseUrl` leads to a pooler that gives each transaction any connection:
   * statements are not prepared, and sessions are opened here. Default: `databaseUrl` leads to the server.
   */
  directUrl?: string;
  poolSize: number;
  /** Longest wait for a connection of the pool, in milliseconds. Default: 3 s. */
  connectTimeoutMs?: number;
  log: Logger;
}

/** A connection pool with prepared statements, retries after conflicts, and the store's own errors. */
export class Database implements Queryable {
  /** The connection pool, shared with the Prisma Client. */
  readonly pool: pg.Pool;
  /** Address at which a session lasts. */
  readonly sessionUrl: string;
  /** Connections to the server itself, if `databaseUrl` leads to a pooler. Opened when needed. */
  private readonly sessions: pg.Pool | null;
  private readonly names = new Map<string, string>();
  /** Called after each statement that writes events. */
  onEvents: () => void = () => undefined;

  constructor(options: DatabaseOptions) {
    const { databaseUrl, directUrl } = options;
    this.sessionUrl = directUrl ?? databaseUrl;
    // The pool awaits this promise before it lends the connection. Behind a pooler, a setting of a session would reach
    // other programs, so the user of the database has these settings there.
    const prepare = (client: pg.ClientBase) => client.query(SET_SESSION) as unknown as void;
    this.pool = openPool(options, {
      connectionString: databaseUrl,
      max: options.poolSize,
      // Statements that do not wait for each other's results are sent together.
      pipeline: true,
      ...(directUrl === undefined ? { onConnect: prepare } : {}),
    });
    closeReadOnly(this.pool);
    this.sessions =
      directUrl === undefined ? null : openPool(options, { connectionString: directUrl, max: MOST_SESSIONS });
  }

  rows<R extends object>(text: string, params: unknown[] = []): Promise<R[]> {
    // The caller of a request is set for a transaction, and only events need it.
    if (callerSetting() !== undefined && text.includes(WRITES_EVENTS))
      return this.transaction((tx) => tx.rows<R>(text, params));
    return this.retrying(() => this.oneStatement<R>(text, params));
  }

  /** Runs one transaction. After a conflict the whole transaction is run again. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, begin = 'begin'): Promise<T> {
    return this.retrying(() => this.once(work, begin));
  }

  /**
   * Sends several statements together in one transaction. The statements sent by `more` belong to this
   * transaction too.
   * @returns the rows of each statement, or the result of `more`.
   */
  batch(
    statements: Statement[],
    more: ((tx: Queryable, rows: object[][]) => Promise<object[][]>) | null,
  ): Promise<object[][]> {
    if (statements.length === 0) return Promise.resolve([]);
    if (more !== null) {
      return this.transaction(async (tx) => {
        const rows = await together(...statements.map(({ text, params }) => tx.rows<object>(text, params)));
        return more(tx, rows);
      });
    }
    const [only] = statements;
    if (statements.length === 1 && only) return this.rows(only.text, only.params).then((rows) => [rows]);
    return this.retrying(() => this.inOneGo(statements));
  }

  /**
   * Returns a separate connection, which the caller must release.
   * @throws CasefileError `store_unreachable`.
   */
  connect(): Promise<pg.PoolClient> {
    return this.connectTo(this.pool);
  }

  /**
   * Returns a connection whose session lasts until the caller releases it. @throws CasefileError `store_unreachable`.
   */
  session(): Promise<pg.PoolClient> {
    return this.connectTo(this.sessions ?? this.pool);
  }

  async close(): Promise<void> {
    await Promise.all([this.pool.end(), this.sessions?.end()]);
  }

  private async connectTo(pool: pg.Pool): Promise<pg.PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      throw asStoreError(error);
    }
  }

  private async once<T>(work: (tx: Transaction) => Promise<T>, begin: string): Promise<T> {
    const client = await this.connect();
    const last: Statement[] = [];
    try {
      const tx: Transaction = {
        rows: (text, params = []) => this.run(client, text, params),
        lastly: (statement) => void last.push(statement),
      };
      // The first statements of the work are sent together with `begin`.
      const [, , result] = await this.inOneWrite(
        client,
        () => [client.query(begin), this.nameCaller(client), work(tx)] as const,
      );
      await this.inOneWrite(client, () => [
        ...last.map(({ text, params }) => this.run(client, text, params)),
        client.query('commit'),
      ]);
      client.release();
      return result;
    } catch (error) {
      // If the rollback cannot be sent, the connection is closed, which rolls back too.
      await client.query('rollback').then(
        () => client.release(),
        (broken: Error) => client.release(broken),
      );
      throw error;
    }
  }

  private async nameCaller(client: pg.PoolClient): Promise<void> {
    const setting = callerSetting();
    if (setting !== undefined) await this.run(client, NAME_CALLER, [setting]);
  }

  // After a failed statement, the server answers `commit` with a rollback instead of an error.
  private async inOneGo(statements: Statement[]): Promise<object[][]> {
    const client = await this.connect();
    try {
      const answers: Promise<object[]>[] = [];
      await this.inOneWrite(client, () => {
        const begin = client.query('begin');
        answers.push(...statements.map(({ text, params }) => this.run<object>(client, text, params)));
        return [begin, ...answers, client.query('commit')];
      });
      return await Promise.all(answers);
    } finally {
      client.release();
    }
  }

  /** Sends all statements in one socket write, because each write wakes the server. */
  private inOneWrite<T extends readonly unknown[]>(
    { connection: { stream } }: pg.PoolClient,
    send: () => T,
  ): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
    stream.cork();
    const answers = send();
    stream.uncork();
    return together(...answers);
  }

  /** Runs one statement. Unlike `pool.query`, an error that the server answers does not close the connection. */
  private async oneStatement<R extends object>(text: string, params: unknown[]): Promise<R[]> {
    const client = await this.connect();
    try {
      const rows = await this.run<R>(client, text, params);
      client.release();
      return rows;
    } catch (error) {
      client.release(asStoreError(error).reasonCode === 'store_unreachable');
      throw error;
    }
  }

  private async run<R extends object>(on: pg.PoolClient, text: string, values: unknown[]): Promise<R[]> {
    const { rows } = await on.query<R>({ ...this.prepared(text), text, values });
    if (text.includes(WRITES_EVENTS)) this.onEvents();
    return rows;
  }

  /** Returns the name under which a connection keeps the statement. Behind a pooler there is none. */
  private prepared(text: string): { name?: string } {
    if (this.sessions !== null) return {};
    const name = this.names.get(text) ?? `casefile_${this.names.size + 1}`;
    this.names.set(text, name);
    return { name };
  }

  private async retrying<T>(work: () => Promise<T>): Promise<T> {
    for (let conflicts = 1; ; conflicts += 1) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof CasefileError) throw error;
        if (!isConflict(error) || conflicts >= MAX_CONFLICTS) throw asStoreError(error);
        // Wait a random time, so that the two transactions do not collide again.
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * conflicts));
      }
    }
  }
}

/** Opens a pool whose broken connections end nothing but the work that uses them. */
function openPool(
  { connectTimeoutMs = CONNECT_TIMEOUT_MS, log }: DatabaseOptions,
  config: pg.PoolConfig,
): pg.Pool {
  const pool = new pg.Pool({
    application_name: 'casefile',
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    ...config,
  });
  // The pool replaces a broken idle connection at the next use.
  const note = (error: Error): void => log.warn({ error }, 'a database connection broke');
  pool.on('error', note);
  // A lent connection that breaks emits an error, which would end the process without a listener. Its user
  // sees the failure at the next statement.
  pool.on('connect', (client) => client.on('error', note));
  return pool;
}

/** Age in ms from which a connection may have an outdated state. Younger ones are kept, so that few are opened. */
const OUTDATED_MS = 1_000;

/**
 * Closes each connection that refused a write as read-only when it is returned, whoever used it. A connection
 * keeps this state after the database takes writes again, or leads to a server that is a standby now.
 */
function closeReadOnly(pool: pg.Pool): void {
  const refusing = new WeakSet<object>();
  pool.on('connect', (client) => {
    const openedAt = performance.now();
    const { connection } = client as unknown as { connection: EventEmitter };
    connection.on('errorMessage', (error: unknown) => {
      if (isReadOnly(error) && performance.now() - openedAt > OUTDATED_MS) refusing.add(client);
    });
  });
  // The pool keeps no connection that is ending.
  pool.on('release', (_error, client) => {
    if (refusing.has(client)) (client as unknown as pg.Client).end().catch(() => undefined);
  });
}

/**
 * Returns the results of statements that were sent together, in order. Waits for all even if one fails,
 * because all must be over before the connection is lent again.
 * @throws the first error. Later errors follow from it.
 */
export async function together<T extends readonly unknown[]>(
  ...answers: T
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(answers);
  const failed = settled.find((answer) => answer.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  const values = settled.map((answer) => (answer as PromiseFulfilledResult<unknown>).value);
  return values as { -readonly [K in keyof T]: Awaited<T[K]> };
}
