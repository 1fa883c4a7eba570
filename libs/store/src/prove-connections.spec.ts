import pg from 'pg';
import { proveConnections } from './prove-connections.js';
import { testDatabase, type TestDatabase } from './testing/index.js';

describe('the connections that a start needs', () => {
  let database: TestDatabase;
  let admin: pg.Client;
  const role = `few_${Math.random().toString(36).slice(2)}`;
  const asRole = () => database.url.replace('//casefile@', `//${role}@`);
  const limit = (count: number) => admin.query(`alter role ${role} connection limit ${count}`);

  beforeAll(async () => {
    database = await testDatabase();
    admin = new pg.Client(database.url);
    await admin.connect();
    await admin.query(`create role ${role} login`);
  });
  afterAll(async () => {
    await admin.query(`drop role ${role}`);
    await admin.end();
    await database.drop();
  });

  it('E-08 are allowed by a server with its usual limit', async () => {
    expect(await proveConnections(asRole(), { pool: 8, queue: 0, processes: 6 })).toBeNull();
  });

  it('E-08 names the largest pool that fits, or says that none does', async () => {
    const problem = (message: RegExp) => ({
      problems: [{ path: 'store.connections', message: expect.stringMatching(message) }],
    });
    await limit(10);
    const starts = proveConnections(asRole(), { pool: 8, queue: 0, processes: 6 });
    await expect(starts).rejects.toMatchObject(
      problem(/^expected at most 7: .* 10 connections.* needs 3 besides its pool/),
    );
    const withQueue = proveConnections(asRole(), { pool: 4, queue: 6, processes: 6 });
    await expect(withQueue).rejects.toMatchObject(problem(/^expected a database that allows more/));
    expect(await proveConnections(asRole(), { pool: 7, queue: 0, processes: 6 })).toBeNull();
  });

  it('E-08 tells of a server that allows too few for all services', async () => {
    const { rows } = await admin.query<{ max_connections: string }>('show max_connections');
    const most = Number(rows[0]!.max_connections);
    const lack = await proveConnections(database.url, { pool: most / 2, queue: 0, processes: 6 });
    expect(lack).toEqual({ allowed: most, needed: 6 * (most / 2 + 3) });
  });
});
