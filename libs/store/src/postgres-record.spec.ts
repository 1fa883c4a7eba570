import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { LOOK_AGAIN_MS } from '@casefile/contracts';
import { aClaimRequest, countingIds, until } from '@casefile/contracts/testing';
import pg from 'pg';
import { StoreBench } from './testing/store-bench.js';
import { olderTransactionsOver } from './testing/older-transactions-over.js';
import { testDatabase, type TestDatabase } from './testing/test-database.js';
import { createPostgresStore, type PostgresStore } from './create-postgres-store.js';

describe('the record in Postgres', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let store: PostgresStore;
  let bench: StoreBench;
  const ids = countingIds(7);
  const settled = (): Promise<void> => olderTransactionsOver(database.url);

  beforeAll(async () => {
    database = await testDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    store = createPostgresStore({ databaseUrl: database.url, poolSize: 5 });
    bench = new StoreBench(store, ids, settled);
  });
  afterAll(async () => {
    await store.close();
    await client.end();
    await database.drop();
  });

  it('S2-31 shows no event behind which a slower transaction may still put an earlier one', async () => {
    await settled();
    const last = await store.record.lastEventId();
    await client.query('begin');
    await client.query(`insert into events (type, data) values ('slow.one', '{}')`);
    await bench.accept();
    expect(await store.record.eventsAfter(last, 10)).toEqual([]);
    expect(await store.record.lastEventId()).toBe(last);
    await client.query(`insert into events (type, data) values ('slow.two', '{}')`);
    await client.query('commit');
    await settled();
    const types = (await store.record.eventsAfter(last, 10)).map((event) => event.type);
    expect(types).toEqual(['slow.one', 'slow.two', 'alert.accepted', 'case.created', 'run.created']);
  });

  it('R3 loads again what was written while a claim waited for its lock', async () => {
    const { runId } = await bench.accept();
    await client.query('begin');
    await client.query('update units set epoch = epoch + 1 where run_id = $1', [runId]);
    await client.query(
      `insert into artifacts (run_id, unit, artifact, round, body) values ($1, '', 'brief', 1, '{"late":true}')`,
      [runId],
    );
    const claiming = store.units.claim(aClaimRequest(runId, { reads: ['brief'] }));
    await waitsForLock();
    await client.query('commit');
    const result = await claiming;
    expect(result).toMatchObject({
      kind: 'claimed',
      work: { lease: { epoch: 2 }, artifacts: { brief: { late: true } } },
    });
  });

  it('tries again when two statements met in a deadlock', async () => {
    const [first, second] = [await bench.accept(), await bench.accept()];
    const leases = [(await bench.claim(first.runId)).lease, (await bench.claim(second.runId)).lease];
    const low = first.runId < second.runId ? first.runId : second.runId;
    const high = low === first.runId ? second.runId : first.runId;
    const touch = 'update units set message = message where run_id = $1';
    await client.query(`set deadlock_timeout = '10s'; set lock_timeout = '20s'`);
    // On a busy machine the deadlock may be found by this client instead.
    for (let isVictim = true; isVictim;) {
      await client.query('begin');
      await client.query(touch, [high]);
      const renewing = store.units.renew(leases, 6_000);
      await waitsForLock();
      isVictim = await client.query(touch, [low]).then(
        () => false,
        (error: Error & { code?: string }) => {
          if (error.code !== '40P01') throw error;
          return true;
        },
      );
      await client.query(isVictim ? 'rollback' : 'commit');
      expect(await renewing).toEqual([]);
    }
  });

  it('works again on new connections when the old ones were cut', async () => {
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'casefile'`,
    );
    const settled = await Promise.allSettled([bench.accept(), bench.accept(), bench.accept()]);
    for (const result of settled) {
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ reasonCode: 'store_unreachable', retryable: true });
    }
    await expect(bench.accept()).resolves.toMatchObject({ kind: 'accepted' });
  });

  it('keeps hot updates off the indexes: a stage changes no indexed column', async () => {
    const before = await unitUpdates();
    // The sweeper's index uses the minute in which a lease or a nudge ends. Here both end after the same time, so
    // that the minute changes for one run at most.
    for (let i = 0; i < 40; i += 1) {
      const { runId } = await bench.accept();
      await bench.advance((await bench.claim(runId, { leaseMs: LOOK_AGAIN_MS })).lease, 'collect');
    }
    let after = before;
    // A closed connection reports its statistics when its server process ends, a moment later.
    await until('all updates are reported', async () => {
      after = await unitUpdates();
      return after.all - before.all >= 80;
    });
    const hot = (after.hot - before.hot) / (after.all - before.all);
    // A page may be full, so most are expected, not all.
    expect(hot).toBeGreaterThan(0.6);
  });

  it('chooses no partitions on a version of Postgres that can crash by it', async () => {
    const setting = `select current_setting('server_version_num')::int as version, current_setting('enable_partition_pruning') as chosen`;
    const [row] = await store.database.rows<{ version: number; chosen: string }>(setting);
    expect(row!.chosen).toBe(row!.version >= 180_000 ? 'off' : 'on');
  });

  it('R2 accepts no second verdict of a run from any writer', async () => {
    const { runId } = await bench.accept();
    const insert = `insert into artifacts (run_id, unit, artifact, round, body) values ($1, '', 'verdict', $2, '{}')`;
    await client.query(insert, [runId, 1]);
    await expect(client.query(insert, [runId, 2])).rejects.toThrow('artifacts_one_verdict');
  });

  async function waitsForLock(): Promise<void> {
    const waiting = `select from pg_stat_activity where datname = current_database()
      and application_name = 'casefile' and wait_event_type = 'Lock'`;
    const watcher = new pg.Client({ connectionString: database.url });
    await watcher.connect();
    await until('a statement waits for a lock', async () => (await watcher.query(waiting)).rowCount !== 0);
    await watcher.end();
  }

  async function unitUpdates(): Promise<{ all: number; hot: number }> {
    // Each connection reports its statistics after a moment of idling, or when it ends.
    await store.close();
    store = createPostgresStore({ databaseUrl: database.url, poolSize: 5 });
    bench = new StoreBench(store, ids, settled);
    const { rows } = await client.query<{ all: number; hot: number }>(
      `select n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_user_tables where relname = 'units'`,
    );
    return rows[0]!;
  }
});

describe('a Postgres that does not answer', () => {
  let server: Server;
  const sockets = new Set<{ destroy(): void }>();

  beforeAll(async () => {
    server = createServer((socket) => void sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => server.close(resolve));
  });

  it('R9 is noticed by a ping within its time', async () => {
    const { port } = server.address() as AddressInfo;
    const store = createPostgresStore({ databaseUrl: `postgres://x@127.0.0.1:${port}/x`, poolSize: 2 });
    await expect(store.ping(50)).rejects.toMatchObject({ reasonCode: 'store_unreachable', retryable: true });
  });

  it('R9 or is not there is an error that may be tried again', async () => {
    const store = createPostgresStore({ databaseUrl: 'postgres://x@127.0.0.1:1/x', poolSize: 2 });
    await expect(
      store.runs.accept(new StoreBench(store, countingIds(), () => Promise.resolve()).request()),
    ).rejects.toMatchObject({
      reasonCode: 'store_unreachable',
      retryable: true,
    });
    await expect(store.lead('x')).rejects.toMatchObject({ reasonCode: 'store_unreachable' });
    await store.close();
  });
});
