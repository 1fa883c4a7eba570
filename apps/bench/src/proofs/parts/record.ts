import { countingIds } from '@casefile/contracts/testing';
import { createPostgresStore, type PostgresStore } from '@casefile/store';
import { olderTransactionsOver, passTimeIn, StoreBench, testDatabase } from '@casefile/store/testing';

/** A record of its own, whose clock a proof can move. */
export interface ProofRecord {
  store: PostgresStore;
  bench: StoreBench;
  databaseUrl: string;
  passTime(ms: number): Promise<void>;
}

/** Runs `work` on an empty record, which is dropped afterwards. */
export async function onRecord<T>(work: (record: ProofRecord) => Promise<T>): Promise<T> {
  const database = await testDatabase();
  const store = createPostgresStore({ databaseUrl: database.url, poolSize: 5 });
  const bench = new StoreBench(store, countingIds(), () => olderTransactionsOver(database.url));
  try {
    return await work({
      store,
      bench,
      databaseUrl: database.url,
      passTime: (ms) => passTimeIn(database.url, ms),
    });
  } finally {
    await store.close();
    await database.drop();
  }
}
