import type { Database } from '../database.js';
import { asStoreError } from '../store-errors.js';
import type { PrismaClient } from './admin-client.js';
import { asDriverError } from './driver-error.js';

/** Reads and writes tables of administration by the Prisma Client. @throws CasefileError as every other part of the store. */
export type Administration = <T>(work: (client: PrismaClient) => Promise<T>) => Promise<T>;

/** The tables of administration over the connections of `database`. The client is loaded when it is first used. */
export function administrationOf(database: Database): Administration {
  let client: Promise<PrismaClient> | null = null;
  const load = async (): Promise<PrismaClient> => {
    const { createAdminClient } = await import('./admin-client.js');
    return createAdminClient(database.pool);
  };
  return async (work) => {
    try {
      return await work(await (client ??= load()));
    } catch (error) {
      throw asStoreError(asDriverError(error));
    }
  };
}
