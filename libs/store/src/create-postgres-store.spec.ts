import { emptyDatabase } from './testing/empty-database.js';
import { olderTransactionsOver } from './testing/older-transactions-over.js';
import { passTimeIn } from './testing/pass-time.js';
import { describeStore } from './testing/store.conformance.js';
import { testDatabase, type TestDatabase } from './testing/test-database.js';
import { createPostgresStore } from './create-postgres-store.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

describeStore('the Postgres store', async () => {
  const { url } = database;
  const store = createPostgresStore({ databaseUrl: url, poolSize: 5 });
  const other = createPostgresStore({ databaseUrl: url, poolSize: 5 });
  const close = async (): Promise<void> => {
    await Promise.all([store.close(), other.close()]);
    await emptyDatabase(url);
  };
  return {
    store,
    other,
    passTime: (ms) => passTimeIn(url, ms),
    settled: () => olderTransactionsOver(url),
    close,
  };
});
