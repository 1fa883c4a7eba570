import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from '../generated/admin/client.js';

export type { PrismaClient };

/** Creates the Prisma Client for the tables of `admin.prisma`, over these connections. */
export function createAdminClient(pool: pg.Pool): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(pool) });
}
