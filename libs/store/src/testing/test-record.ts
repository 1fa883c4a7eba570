import { countingIds } from '@casefile/contracts/testing';
import { createPostgresStore, type PostgresStore } from '../create-postgres-store.js';
import { emptyDatabase } from './empty-database.js';
import { olderTransactionsOver } from './older-transactions-over.js';
import { passTimeIn } from './pass-time.js';
import { StoreBench } from './store-bench.js';
import { testDatabase, type TestDatabase } from './test-database.js';

/** Time for a connection: on a busy machine a test takes many seconds. */
const PATIENT_MS = 60_000;

export interface TestRecord {
  store: PostgresStore;
  /** Another store on the same record, like that of another process. */
  other: PostgresStore;
  url: string;
  /** The usual steps on `store`, with separate ids for each test. */
  bench: StoreBench;
  /** Makes everything on the record older by this many milliseconds. */
  passTime(ms: number): Promise<void>;
  /** Waits until all events so far can be read. Other tests may be writing on the same server. */
  settled(): Promise<void>;
}

/**
 * Creates the record for the tests of one file: a separate database that is empty before each test. Call it
 * where hooks are allowed.
 */
export function testRecord(): () => TestRecord {
  let database: TestDatabase;
  let store: PostgresStore;
  let other: PostgresStore;
  let bench: StoreBench;
  const settled = (): Promise<void> => olderTransactionsOver(database.url);
  beforeAll(async () => {
    database = await testDatabase();
    const { url: databaseUrl } = database;
    const options = { databaseUrl, poolSize: 5, connectTimeoutMs: PATIENT_MS };
    store = createPostgresStore(options);
    other = createPostgresStore(options);
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
