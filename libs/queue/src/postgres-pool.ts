import type { PgPool } from 'bullmq';
import pg from 'pg';
import { POSTGRES_CONNECT_TIMEOUT_MS } from './queue-options.js';

/**
 * SQLSTATEs that mean "not now", not "the statement is wrong": the server goes or comes, is read-only (25006), lacks
 * disk, memory or connections (53), or its disk fails (58).
 */
const NOT_NOW = /^(08|25006|53|57P0|58)/;

/**
 * A pg.Pool whose failures to reach the server look as BullMQ expects them. BullMQ takes only
 * ECONNREFUSED for a lost connection; on a Unix socket, or when the server is shut down or its disk is full, the error is
 * another one, and a worker would then ask again at once, over and over, and fail jobs that were done.
 * @param size connections in all, the one that listens included.
 */
export function createQueuePool(url: string, size: number, schema: string): PgPool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: POSTGRES_CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'casefile-queue',
    options: `-c search_path=${schema}`,
  });
  const wrapper = {
    /** BullMQ looks here whether dropped connections are noticed. */
    options: { keepAlive: true },
    query: (text: string, params?: readonly unknown[]) =>
      lostAsRefused(() => pool.query(text, params as unknown[])),
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

async function lostAsRefused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isLostConnection(error)) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw Object.assign(new Error(`Postgres cannot be reached: ${message}`, { cause: error }), {
      code: 'ECONNREFUSED',
    });
  }
}

/** Everything but an answer of the server that is about the statement. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return true;
  return NOT_NOW.test(error.code ?? '');
}
