import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@casefile/contracts';
import { createDatabaseIfMissing, startEmbeddedPostgres } from '@casefile/embedded';
import { startRedis } from '@casefile/embedded/testing';
import { openDatabase } from '@casefile/runtime';
import { runMigrations } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { besideBulk } from './beside-bulk.js';
import { fanOut } from './fan-out.js';
import { ladder } from './ladder.js';
import { noOpFlow } from './no-op-flow.js';
import { policies } from './policies.js';
import { react } from './react.js';
import { replay } from './replay.js';
import { table, type Row } from './report.js';
import { inFiveProcesses, inOneProcess, latency, memory, type OneProcess, type Stores } from './rows.js';
import { research } from './research.js';
import { screening } from './screening.js';
import { cloneToBuilt, starting } from './starting.js';
import { suspended } from './suspended.js';
import { webhookPosts } from './webhook-posts.js';

const args = process.argv.slice(2);
const json = args.includes('--json');
const quick = args.includes('--quick');
const only = args.includes('--only') ? (args[args.indexOf('--only') + 1] ?? '') : '';

/** Private servers with durable commits, for a bench that promises nothing less than production does. */
async function openStores(dir: string) {
  const postgres = await startEmbeddedPostgres({ dataDir: join(dir, 'postgres'), log: silentLogger });
  const redis = await startRedis({ dir: join(dir, 'redis') });
  const connection = new Redis(redis.url, { maxRetriesPerRequest: null });
  await createDatabaseIfMissing(postgres.url('postgres'), 'chain');
  const pool = new pg.Pool({
    connectionString: postgres.url('chain'),
    max: 8,
    options: '-c search_path=bullmq',
  });
  // Each queue and worker of a chain listens for its errors.
  pool.setMaxListeners(0);
  await runMigrations(pool as never);
  let databases = 0;
  const stores: Stores = {
    redisUrl: redis.url,
    chainOnRedis: { options: { connection }, onPostgres: false },
    chainOnPostgres: { options: { connection: pool as never }, onPostgres: true },
    newDatabase: async () => {
      const name = `bench_${(databases += 1)}`;
      await createDatabaseIfMissing(postgres.url('postgres'), name);
      const { url } = await openDatabase({ databaseUrl: postgres.url(name), dataDir: dir }, silentLogger);
      return url;
    },
  };
  const close = async () => {
    connection.disconnect();
    await pool.end();
    await redis.stop();
    await postgres.stop();
  };
  return { stores, close };
}

const DIRECT = { settings: 'handOn: direct' };
const NO_OP = { parts: { flow: noOpFlow } };
const ONE_PROCESS: OneProcess[] = [
  { name: 'one process, Redis + Postgres', wanted: '>= 0.35', on: 'redis', cases: 3_000 },
  { name: 'the same with handOn: direct', wanted: '>= 0.65', on: 'redis', cases: 3_000, ...DIRECT },
  { name: 'stages that do nothing', wanted: '>= 0.50', on: 'redis', cases: 3_000, ...NO_OP },
  {
    name: 'the same with handOn: direct',
    wanted: '>= 1.0',
    on: 'redis',
    cases: 3_000,
    ...DIRECT,
    ...NO_OP,
  },
  { name: 'one process, embedded Postgres alone', wanted: '>= 0.9', on: 'postgres', cases: 800 },
  { name: 'the same with handOn: direct', wanted: '>= 4', on: 'postgres', cases: 800, ...DIRECT },
];

const dir = mkdtempSync(join(tmpdir(), 'casefile-bench-'));
const { stores, close } = await openStores(dir);
try {
  const scale = quick ? 0.2 : 1;
  const benches: [string, () => Promise<Row[]>][] = [
    ...ONE_PROCESS.map((row): [string, () => Promise<Row[]>] => [
      row.on,
      () => inOneProcess(stores, dir, { ...row, cases: row.cases * scale }),
    ]),
    ['ladder', () => ladder(stores, dir, 1_000 * scale)],
    ['five', () => inFiveProcesses(stores, dir, 1_500 * scale)],
    ['latency', () => latency(stores, 60 * scale)],
    ['lanes', () => besideBulk(stores, 200 * scale, 10_000 * scale)],
    ['replay', async () => replay(await stores.newDatabase(), quick ? 2 : 10)],
    ['memory', () => memory(stores)],
    ['event stream', async () => fanOut(await stores.newDatabase(), 'stream', 20 * scale)],
    ['event socket', async () => fanOut(await stores.newDatabase(), 'socket', 20 * scale)],
    ['webhook', () => webhookPosts(stores, dir, 1_000 * scale, 60 * scale)],
    ['research', () => research(stores, 200 * scale, 200 * scale, 200)],
    ['screening', screening],
    ['policies', async () => policies(await stores.newDatabase())],
    ['react', () => react(stores, quick ? 1 : 3)],
    ['suspended', () => suspended(stores, 100 * scale)],
    ['start', starting],
    // Minutes of npm's time: not in the quick round.
    ...(quick ? [] : [['clone', cloneToBuilt] as [string, () => Promise<Row[]>]]),
  ];
  const rows: Row[] = [];
  for (const [name, bench] of benches) if (name.includes(only)) rows.push(...(await bench()));
  console.log(json ? JSON.stringify(rows, null, 2) : table(rows));
} finally {
  await close();
  rmSync(dir, { recursive: true, force: true });
}
