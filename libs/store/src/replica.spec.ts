import { countingIds } from '@casefile/contracts/testing';
import pg from 'pg';
import { createPostgresStore, type PostgresStore } from './create-postgres-store.js';
import { StoreBench } from './testing/store-bench.js';
import { testDatabase, type TestDatabase } from './testing/index.js';

const QUERY = { limit: 10 };
const DAY = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };

describe('DATABASE_READ_URL', () => {
  const role = `reads_${process.pid}`;
  let [primary, replica]: TestDatabase[] = [];
  let copy: pg.Client;
  let stores: PostgresStore[] = [];
  const storeWith = (readUrl: string | undefined): PostgresStore => {
    const store = createPostgresStore({
      databaseUrl: primary!.url,
      poolSize: 4,
      connectTimeoutMs: 10_000,
      ...(readUrl === undefined ? {} : { readUrl }),
    });
    stores.push(store);
    return store;
  };
  /** Address of the replica under a role that can only read, so a write there fails. */
  const readUrl = (): string => {
    const url = new URL(replica!.url);
    [url.username, url.password] = [role, 'p'];
    return url.href;
  };
  /** Writes when a process was last seen, in seconds before now. */
  const seen = async (url: string, secondsAgo: number): Promise<void> => {
    const client = new pg.Client(url);
    await client.connect();
    await client.query(
      `insert into processes (id, services, version, host, pid, settings_digest, probes, seen_at)
       values ('00000000-0000-0000-0000-000000000001', '{console}', '1', 'h', 1, 'd', '[]', now() - $1 * interval '1 s')
       on conflict (id) do update set seen_at = excluded.seen_at`,
      [secondsAgo],
    );
    await client.end();
  };
  const shown = async (store: PostgresStore): Promise<number> =>
    (await store.record.listCases(QUERY)).items.length;

  // A second database stands for the replica: its record is empty, so that an answer shows which server gave it.
  beforeAll(async () => {
    primary = await testDatabase();
    replica = await testDatabase();
    copy = new pg.Client(replica.url);
    await copy.connect();
    await copy.query(`create role ${role} login password 'p'; grant pg_read_all_data to ${role};
      alter role ${role} set default_transaction_read_only = on`);
    await new StoreBench(storeWith(undefined), countingIds(), async () => undefined).accept();
    await seen(primary.url, 0);
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    stores = [];
  });
  afterAll(async () => {
    await copy.query(`drop owned by ${role}; drop role ${role}`);
    await copy.end();
    await primary!.drop();
    await replica!.drop();
  });

  it('E-08 lists, searches and counts on the replica alone, writes and reads cases on the primary', async () => {
    await seen(replica!.url, 0);
    const store = storeWith(readUrl());
    expect(await shown(store)).toBe(0);
    expect((await store.record.listCases({ ...QUERY, q: 'parcel' })).items).toEqual([]);
    expect(await store.qualityFigures.counts(DAY)).toEqual([]);
    expect(await store.record.isEmpty()).toBe(false);
    await store.record.noteOperatorAction('test', {});
    await store.proveWrites(10_000);
    expect(await shown(storeWith(undefined))).toBe(1);
  });

  it('E-08 states the lag, and reads the primary while the replica is too far behind', async () => {
    await seen(replica!.url, 15);
    const late = storeWith(readUrl());
    const state = await late.replica!.state();
    expect(state).toEqual({ lagMs: expect.any(Number), unusedBecause: null });
    expect(state.lagMs).toBeGreaterThan(10_000);
    expect(await shown(late)).toBe(0);
    await seen(replica!.url, 300);
    const tooLate = storeWith(readUrl());
    expect(await tooLate.replica!.state()).toMatchObject({
      unusedBecause: expect.stringMatching(/^it is \d+ s behind$/),
    });
    expect(await shown(tooLate)).toBe(1);
  });

  it('E-08 reads the primary while the replica does not answer', async () => {
    const gone = new URL(readUrl());
    gone.username = 'nobody_of_this_name';
    const store = storeWith(gone.href);
    expect(await store.replica!.state()).toEqual({
      lagMs: null,
      unusedBecause: expect.stringContaining('database'),
    });
    expect(await shown(store)).toBe(1);
  });
});
