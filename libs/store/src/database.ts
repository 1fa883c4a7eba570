import { CasefileError, type Logger } from '@casefile/contracts';
import pg from 'pg';
import type { Queryable, Statement, Transaction } from './statement.js';
import { asStoreError, isConflict } from './store-errors.js';

export type { Queryable, Statement, Transaction };

/** How often a deadlock or a serialization failure is tried again before it is an error. */
const MAX_CONFLICTS = 6;

/** Answers that take longer are given up, in ms: a stopped server must not hold the worker for ever. */
const QUERY_TIMEOUT_MS = 20_000;
const CONNECT_TIMEOUT_MS = 3_000;

// Every statement here has an index for what it asks. Plans are kept, and on a table that was empty when one was
// made they would go on reading all of it; compiling a plan costs more than running any of these, and so does making
// one again for parameters that are JSON anyway.
const PLANNING = 'set enable_seqscan = off; set jit = off; set plan_cache_mode = force_generic_plan';

export interface DatabaseOptions {
  databaseUrl: string;
  poolSize: number;
  log: Logger;
}

/** The pool, with prepared statements, retries of conflicts and the store's own errors. */
export class Database implements Queryable {
  /** The connections; the Prisma Client shares them. */
  readonly pool: pg.Pool;
  private readonly names = new Map<string, string>();

  constructor(options: DatabaseOptions) {
    this.pool = new pg.Pool({
      connectionString: options.databaseUrl,
      max: options.poolSize,
      application_name: 'casefile',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
      // Statements that do not wait for each other's answers go out together.
      pipeline: true,
      // The pool waits for the promise before it lends the connection out.
      onConnect: (client) => client.query(PLANNING) as unknown as void,
    });
    // An idle connection that breaks is replaced by the pool at the next use.
    const note = (error: Error): void =>
      options.log.warn({ error: error.message }, 'a database connection broke');
    this.pool.on('error', note);
    // One that breaks while it is lent out says so itself; whoever has it finds out at the next statement.
    this.pool.on('connect', (client) => client.on('error', note));
  }

  rows<R extends object>(text: string, params: unknown[] = []): Promise<R[]> {
    return this.retrying(() => this.run<R>(this.pool, text, params));
  }

  /** One transaction; it is run again as a whole when it met a conflict. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, begin = 'begin'): Promise<T> {
    return this.retrying(() => this.once(work, begin));
  }

  /**
   * Several statements in one transaction, sent in one go; with `more`, what it asks is part of the transaction too.
   * @returns the rows of each statement, or what `more` makes of them.
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

  /** A connection of one's own, to be released. @throws CasefileError `store_unreachable`. */
  async connect(): Promise<pg.PoolClient> {
    try {
      return await this.pool.connect();
    } catch (error) {
      throw asStoreError(error);
    }
  }

  close(): Promise<void> {
    return this.pool.end();
  }

  private async once<T>(work: (tx: Transaction) => Promise<T>, begin: string): Promise<T> {
    const client = await this.connect();
    const last: Statement[] = [];
    try {
      const tx: Transaction = {
        rows: (text, params = []) => this.run(client, text, params),
        lastly: (statement) => void last.push(statement),
      };
      // What the work asks at once goes with the beginning.
      const [, result] = await this.inOneWrite(client, () => [client.query(begin), work(tx)] as const);
      await this.inOneWrite(client, () => [
        ...last.map(({ text, params }) => this.run(client, text, params)),
        client.query('commit'),
      ]);
      client.release();
      return result;
    } catch (error) {
      // Rolled back by closing the connection when even that cannot be said.
      await client.query('rollback').then(
        () => client.release(),
        (broken: Error) => client.release(broken),
      );
      throw error;
    }
  }

  // After a failed statement the server answers the `commit` by rolling back.
  private async inOneGo(statements: Statement[]): Promise<object[][]> {
    const client = await this.connect();
    try {
      const answers: Promise<object[]>[] = [];
      await this.inOneWrite(client, () => {
        const begun = client.query('begin');
        answers.push(...statements.map(({ text, params }) => this.run<object>(client, text, params)));
        return [begun, ...answers, client.query('commit')];
      });
      return await Promise.all(answers);
    } finally {
      client.release();
    }
  }

  /** One write for all that is sent before anything is waited for: each wakes the server. */
  private inOneWrite<T extends readonly unknown[]>(
    { connection: { stream } }: pg.PoolClient,
    send: () => T,
  ): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
    stream.cork();
    const answers = send();
    stream.uncork();
    return together(...answers);
  }

  private async run<R extends object>(
    on: pg.Pool | pg.PoolClient,
    text: string,
    values: unknown[],
  ): Promise<R[]> {
    const name = this.names.get(text) ?? `casefile_${this.names.size + 1}`;
    this.names.set(text, name);
    return (await on.query<R>({ name, text, values })).rows;
  }

  private async retrying<T>(work: () => Promise<T>): Promise<T> {
    for (let conflicts = 1; ; conflicts += 1) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof CasefileError) throw error;
        if (!isConflict(error) || conflicts >= MAX_CONFLICTS) throw asStoreError(error);
        // A little apart, so that the two do not meet again at once.
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * conflicts));
      }
    }
  }
}

/**
 * What was sent together, in its order. Waits for all, also when one fails: they must be over before the connection is lent
 * again. @throws what the first that failed did; those after it failed because of it.
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
