import pg from 'pg';
import { type CaseStore, writesForLane } from '@casefile/contracts';
import { countingIds, until, withMembers } from '@casefile/contracts/testing';
import { olderTransactionsOver } from './testing/older-transactions-over.js';
import { advanceTo, StoreBench } from './testing/store-bench.js';
import { testDatabase, type TestDatabase } from './testing/test-database.js';
import { createPostgresStore } from './create-postgres-store.js';

/** Number of connections. Two of them are reserved for live work. */
const CONNECTIONS = 5;
const LIVE = 2;

describe('R16 E-12 connections that live work alone may hold', () => {
  let database: TestDatabase;
  let store: CaseStore;
  let outside: pg.Client;
  /** No transaction freezes its view of the others. */
  let watcher: pg.Client;

  beforeAll(async () => {
    database = await testDatabase();
    store = createPostgresStore({
      databaseUrl: database.url,
      poolSize: CONNECTIONS,
      connectTimeoutMs: 60_000,
      liveConnections: LIVE,
    });
    outside = new pg.Client({ connectionString: database.url });
    watcher = new pg.Client({ connectionString: database.url });
    await Promise.all([outside.connect(), watcher.connect()]);
  });
  afterAll(async () => {
    await Promise.all([outside.end(), watcher.end()]);
    await store.close();
    await database.drop();
  });

  const waitingForLocks = async () => {
    const { rows } = await watcher.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity where datname = current_database()
       and application_name = 'casefile' and wait_event_type = 'Lock'`,
    );
    return rows[0]?.waiting;
  };

  it('a live run goes through while bulk work holds every other connection and its turn of the write lane', async () => {
    const ids = countingIds();
    const settled = () => olderTransactionsOver(database.url);
    const bulk = new StoreBench(store, ids, settled);
    const live = new StoreBench(byLive(store), ids, settled);
    const runs = await Promise.all(Array.from({ length: 10 }, () => bulk.accept()));
    const held = await Promise.all(runs.slice(0, 5).map(({ runId }) => bulk.claim(runId)));
    const order: string[] = [];

    await outside.query('begin');
    await outside.query('select from units for update');
    const work = [
      ...runs.slice(5).map(({ runId }) => bulk.claim(runId)),
      ...held.map(({ lease }) => store.units.release(lease)),
    ].map((one) => one.then(() => order.push('bulk')));
    await until(
      'bulk work holds all its connections',
      async () => (await waitingForLocks()) === CONNECTIONS - LIVE,
    );

    const { runId } = await live.accept();
    const { lease } = await live.claim(runId);
    await live.commit(lease, advanceTo('reason', { artifact: { name: 'evidence', body: { items: [] } } }));
    order.push('live');
    await outside.query('commit');
    await Promise.all(work);
    expect(order).toEqual(['live', ...work.map(() => 'bulk')]);
  });

  it('goes by the lane; without connections of their own all lanes share', async () => {
    expect(writesForLane(store, 'live')).toBe(store.ofLive);
    for (const lane of ['batch', 'replay', 'shadow', 'bulk'] as const)
      expect(writesForLane(store, lane)).toBe(store);
    const shared = createPostgresStore({ databaseUrl: database.url, poolSize: 3 });
    expect(writesForLane(shared, 'live')).toBe(shared);
    await shared.close();
  });
});

/** Returns the store whose flow writes use the connections of live work. */
function byLive(store: CaseStore): CaseStore {
  const { runs, units, interactions, toolCalls } = store.ofLive!;
  return {
    ...store,
    runs: withMembers(store.runs, { accept: (request) => runs.accept(request) }),
    units: units as CaseStore['units'],
    interactions,
    toolCalls,
  };
}
