import { silentLogger } from '@casefile/contracts';
import { Database } from '../database.js';
import { testDatabase, type TestDatabase } from '../testing/test-database.js';
import { administrationOf } from './administration.js';

describe('the errors of administration', () => {
  let server: TestDatabase;
  const open: Database[] = [];
  const on = (databaseUrl: string) => {
    const database = new Database({ databaseUrl, poolSize: 2, log: silentLogger });
    open.push(database);
    return administrationOf(database);
  };
  beforeAll(async () => {
    server = await testDatabase();
  });
  afterAll(async () => {
    await Promise.all(open.map((database) => database.close()));
    await server.drop();
  });

  it('are retryable if the database is not reachable', async () => {
    const administer = on('postgres://127.0.0.1:1/none');
    await expect(administer((client) => client.toolServer.findMany())).rejects.toMatchObject({
      reasonCode: 'store_unreachable',
      retryable: true,
    });
  });

  it('are retryable if the server ends the connection', async () => {
    const ended = on(server.url)((client) => client.$queryRaw`select pg_terminate_backend(pg_backend_pid())`);
    await expect(ended).rejects.toMatchObject({ reasonCode: 'store_unreachable', retryable: true });
  });

  it('are retryable if a transaction is not over in time', async () => {
    const late = on(server.url)((client) =>
      client.$transaction((tx) => tx.$queryRaw`select pg_sleep(0.1)::text`, { timeout: 1 }),
    );
    await expect(late).rejects.toMatchObject({ reasonCode: 'store_unreachable', retryable: true });
  });

  it('have the SQLSTATE and the message of the database', async () => {
    const refused = on(server.url)((client) => client.$queryRaw`select 1 / 0`);
    await expect(refused).rejects.toMatchObject({
      reasonCode: 'store_error',
      retryable: false,
      message: 'The database refused a statement: division by zero',
      details: { sqlState: '22012' },
    });
  });
});
