import { createPostgresStore, type PostgresStore } from '../create-postgres-store.js';
import { emptyDatabase } from './empty-database.js';
import { passTimeIn } from './pass-time.js';
import { testDatabase, type TestDatabase } from './test-database.js';

export interface TestRecord {
  store: PostgresStore;
  url: string;
  /** Makes everything on the record older by so many milliseconds. */
  passTime(ms: number): Promise<void>;
}

/** The record for the tests of one file: a database of its own, empty before each test. Called where hooks may stand. */
export function testRecord(): () => TestRecord {
  let database: TestDatabase;
  let store: PostgresStore;
  beforeAll(async () => {
    database = await testDatabase();
    store = createPostgresStore({ databaseUrl: database.url, poolSize: 5 });
  });
  afterEach(() => emptyDatabase(database.url));
  afterAll(async () => {
    await store.close();
    await database.drop();
  });
  return () => ({ store, url: database.url, passTime: (ms) => passTimeIn(database.url, ms) });
}
