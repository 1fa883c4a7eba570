import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from '../generated/admin/client.js';

/**
 * Limits of a transaction, in milliseconds. With the client's own (2 s and 5 s), an act fails on a busy
 * machine.
 */
const TRANSACTIONS = { maxWait: 10_000, timeout: 60_000 };

/** Creates the Prisma Client for the tables of `admin.prisma`, over these connections. */
export function createAdminClient(pool: pg.Pool): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(pool), transactionOptions: TRANSACTIONS });
}
