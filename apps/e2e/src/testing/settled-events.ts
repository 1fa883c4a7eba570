import type { EventRecord } from '@casefile/contracts';
import { olderTransactionsOver } from '@casefile/store/testing';
import type { PostgresStore } from '@casefile/store';
import type { World } from './world.js';

/**
 * Returns the first 1,000 events. Waits for transactions of other tests on the same server first, because an
 * event is listed when every older transaction has ended.
 */
export async function settledEvents({ platform }: World): Promise<EventRecord[]> {
  const { database, record } = platform.store as PostgresStore;
  await olderTransactionsOver(String(database.pool.options.connectionString));
  return record.eventsAfter(null, 1_000);
}
