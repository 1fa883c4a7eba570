import { callerSetting, NAME_CALLER } from '../acting.js';
import type { Database } from '../database.js';
import { asStoreError } from '../store-errors.js';
import type { Prisma, PrismaClient } from '../generated/admin/client.js';

/** A transaction of the Prisma Client. */
export type AdminTransaction = Prisma.TransactionClient;

/**
 * Reads and writes administration tables through the Prisma Client.
 * @throws CasefileError like the rest of the store.
 */
export type Administration = <T>(work: (client: PrismaClient) => Promise<T>) => Promise<T>;

/**
 * Gives access to the administration tables over the connections of `database`. The client is loaded at the
 * first use.
 */
export function administrationOf(database: Database): Administration {
  let client: Promise<PrismaClient> | null = null;
  const load = async (): Promise<PrismaClient> => {
    const { createAdminClient } = await import('./admin-client.js');
    return createAdminClient(database.pool);
  };
  return async (work) => {
    try {
      return await work(withCaller(await (client ??= load())));
    } catch (error) {
      throw asStoreError(asDriverError(error));
    }
  };
}

// As Database.transaction does: the first statement of each transaction sets the caller of the request.
function withCaller(client: PrismaClient): PrismaClient {
  const setting = callerSetting();
  if (setting === undefined) return client;
  const transaction = <T>(work: (tx: AdminTransaction) => Promise<T>, options?: object): Promise<T> =>
    client.$transaction(async (tx) => {
      await tx.$executeRawUnsafe(NAME_CALLER, setting);
      return work(tx);
    }, options);
  return new Proxy(client, {
    get: (target, key) => (key === '$transaction' ? transaction : (Reflect.get(target, key) as unknown)),
  });
}

/** Codes of the Prisma Client for errors without a SQLSTATE, with the equivalent SQLSTATE. */
const SQLSTATES: Readonly<Record<string, string | undefined>> = {
  // No connection: unreachable, timeout, closed by the server, none free in time.
  P1001: '08001',
  P1002: '08001',
  P1008: '08006',
  P1017: '08006',
  P2024: '08001',
  // A transaction that did not start or end in time.
  P2028: '08006',
};

interface PrismaError extends Error {
  code: string;
  meta?: { driverAdapterError?: { cause?: { originalCode?: string; originalMessage?: string } } };
}

/**
 * Converts an error of the Prisma Client to that of the driver, with a SQLSTATE as its code and the
 * database's own message. Other errors are returned unchanged.
 */
export function asDriverError(error: unknown): unknown {
  if (!isOfPrisma(error)) return error;
  const { originalCode, originalMessage } = error.meta?.driverAdapterError?.cause ?? {};
  // The client's own message begins with the call and ends with the reason.
  const message = originalMessage ?? error.message.trim().split('\n').at(-1);
  const code = originalCode ?? SQLSTATES[error.code] ?? error.code;
  return Object.assign(new Error(message, { cause: error }), { code });
}

function isOfPrisma(error: unknown): error is PrismaError {
  return error instanceof Error && 'code' in error && /^P\d{4}$/.test(String(error.code));
}
