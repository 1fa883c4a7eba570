import { silentLogger } from '@casefile/contracts';
import { connectQueueStore } from '@casefile/queue';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';

/** A database of this worker's server that has the tables of the queue too, and is copied. */
let template: { readonly server: string | undefined; readonly made: Promise<TestDatabase> } | null = null;

/**
 * Returns a new database with the tables of the store and of the queue. To copy them costs a tenth of what the
 * migrations of the queue cost.
 */
export async function systemDatabase(): Promise<TestDatabase> {
  const server = process.env['CASEFILE_TEST_POSTGRES'];
  if (template?.server !== server) template = { server, made: makeTemplate() };
  return testDatabase(undefined, await template!.made);
}

async function makeTemplate(): Promise<TestDatabase> {
  const database = await testDatabase();
  const queue = await connectQueueStore(database.url, { log: silentLogger });
  await queue.close();
  return database;
}
