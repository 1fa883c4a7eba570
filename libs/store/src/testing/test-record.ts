import { countingIds } from '@casefile/contracts/testing';
import { createPostgresStore, type PostgresStore } from '../create-postgres-store.js';
import { emptyDatabase } from './empty-database.js';
import { olderTransactionsOver } from './older-transactions-over.js';
import { passTimeIn } from './pass-time.js';
import { StoreBench } from './store-bench.js';
import { testDatabase, type TestDatabase } from './test-database.js';

export interface TestRecord {
  store: PostgresStore;
  /** Another store on the same record, as another process has it. */
  other: PostgresStore;
  url: string;
  /** The usual steps on `store`, with ids of their own for each test. */
  bench: StoreBench;
  /** Makes everything on the record older by so many milliseconds. */
  passTime(ms: number): Promise<void>;
  /** Waits until every event so far can be read: other tests may be writing on the same server. */
  settled(): Promise<void>;
}

/** The record for the tests of one file: a database of its own, empty before each test. Called where hooks may stand. */
export function testRecord(): () => TestRecord {
  let database: TestDatabase;
  let store: PostgresStore;
  let other: PostgresStore;
  let bench: StoreBench;
  const settled = (): Promise<void> => olderTransactionsOver(database.url);
  beforeAll(async () => {
    database = await testDatabase();
    const { url: databaseUrl } = database;
    store = createPostgresStore({ databaseUrl, poolSize: 5 });
    other = createPostgresStore({ databaseUrl, poolSize: 5 });
  });
  beforeEach(() => {
    bench = new StoreBench(store, countingIds(), settled);
  });
  afterEach(() => emptyDatabase(database.url));
  afterAll(async () => {
    await Promise.all([store.close(), other.close()]);
    await database.drop();
  });
  const passTime = (ms: number): Promise<void> => passTimeIn(database.url, ms);
  return () => ({ store, other, url: database.url, bench, passTime, settled });
}
