// Measures ratios side by side in one run, on private servers (`npm run bench`).
// Options: [--quick] [--json] [--only NAME].
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { silentLogger } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { createDatabaseIfMissing, startEmbeddedPostgres } from '@casefile/embedded';
import { startRedis } from '@casefile/embedded/testing';
import { boundHeapGrowth, openDatabase, STOP_WITHIN_MS } from '@casefile/runtime';
import { closeAtEnd, endInOrder, endProcess, isEnding } from '@casefile/runtime/process-end';
import { runMigrations } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { withBulk } from '../ratios/with-bulk.js';
import { withShadow } from '../ratios/with-shadow.js';
import { fanOut } from '../ratios/fan-out.js';
import { ladder } from '../ratios/ladder.js';
import { noOpFlow } from '../ratios/no-op-flow.js';
import { pager } from '../ratios/pager.js';
import { policies } from '../ratios/policies.js';
import { history } from '../ratios/history.js';
import { quality } from '../ratios/quality.js';
import { react } from '../ratios/react.js';
import { replay } from '../ratios/replay.js';
import { table, type Row } from '../ratios/report.js';
import {
  inFiveProcesses,
  inOneProcess,
  latency,
  memory,
  type OneProcess,
  type Stores,
} from '../ratios/rows.js';
import { research } from '../ratios/research.js';
import { screening } from '../ratios/screening.js';
import { cloneToBuilt, starting } from '../ratios/starting.js';
import { measureSuspended } from '../ratios/suspended.js';
import { guard } from '../ratios/guard.js';
import { largePost } from '../ratios/large-post.js';
import { webhookPosts } from '../ratios/webhook-posts.js';

const args = process.argv.slice(2);
const { json, quick, only, alone } = parseArgs({
  args,
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    /** Index of the only bench that this process runs. */
    alone: { type: 'string' },
  },
}).values;

/** Private servers with durable commits, as in production. */
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
  const stop = async () => {
    await redis.stop();
    await postgres.stop();
  };
  const close = async () => {
    connection.disconnect();
    await pool.end();
    await stop();
  };
  return { stores, close, stop };
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

type Bench = (stores: Stores, dir: string) => Promise<Row[]>;

const scale = quick ? 0.2 : 1;
const BENCHES: [string, Bench][] = [
  ...ONE_PROCESS.map((row): [string, Bench] => [
    row.on,
    (stores, dir) => inOneProcess(stores, dir, { ...row, cases: row.cases * scale }),
  ]),
  ['ladder', (stores, dir) => ladder(stores, dir, 1_000 * scale)],
  ['five', (stores, dir) => inFiveProcesses(stores, dir, 1_500 * scale)],
  ['latency', (stores) => latency(stores, 60 * scale)],
  ['lanes', (stores) => withBulk(stores, 200 * scale, 10_000 * scale)],
  ['shadow', (stores) => withShadow(stores, 60 * scale)],
  ['replay', async (stores) => replay(await stores.newDatabase(), quick ? 2 : 10)],
  ['memory', memory],
  ['event stream', async (stores) => fanOut(await stores.newDatabase(), 'stream', 20 * scale)],
  ['event socket', async (stores) => fanOut(await stores.newDatabase(), 'socket', 20 * scale)],
  ['webhook', (stores, dir) => webhookPosts(stores, dir, 1_000 * scale, 60 * scale)],
  ['pager', (stores, dir) => pager(stores, dir, quick ? 10 : 40)],
  ['large post', (stores) => largePost(stores)],
  ['guard', (stores) => guard(stores, 1_000 * scale)],
  ['research', (stores) => research(stores, 200 * scale, 200 * scale, 200)],
  ['screening', screening],
  ['policies', async (stores) => policies(await stores.newDatabase())],
  [
    'quality',
    async (stores) => {
      const url = await stores.newDatabase();
      return [...(await quality(url, 100_000)), ...(await history(url, 100_000))];
    },
  ],
  ['react', (stores) => react(stores, quick ? 1 : 3)],
  ['suspended', (stores) => measureSuspended(stores, 100 * scale)],
  ['start', starting],
  // Takes minutes of npm's time, so a quick run skips it.
  ...(quick ? [] : [['clone', cloneToBuilt] as [string, Bench]]),
];

/**
 * Runs one bench on private servers. The servers stop with the bench, also if the process is asked to stop.
 */
async function measured(bench: Bench): Promise<Row[]> {
  const dir = temporaryFolder('bench');
  const { stores, close, stop } = await openStores(dir);
  const clear = () => rmSync(dir, { recursive: true, force: true });
  const forget = closeAtEnd(async () => {
    // Ignores errors of code that still uses the stopped servers.
    process.on('uncaughtException', () => undefined);
    await stop();
    clear();
  }, STOP_WITHIN_MS);
  try {
    return await bench(stores, dir);
  } finally {
    forget();
    await close();
    clear();
  }
}

/**
 * Runs one bench in a separate process, so that heap and compiled code of earlier benches do not affect it.
 */
async function apart(index: number): Promise<Row[]> {
  const again = [...process.execArgv, fileURLToPath(import.meta.url), ...args, '--alone', String(index)];
  const run = spawn(process.execPath, again, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const closed = once(run, 'close');
  const forget = closeAtEnd(() => {
    run.kill('SIGTERM');
    return closed;
  }, STOP_WITHIN_MS);
  const [printed] = await Promise.all([text(run.stdout as Readable), closed]);
  forget();
  if (isEnding()) return endProcess(1);
  if (run.exitCode !== 0)
    throw new Error(`${BENCHES[index]?.[0]} ended with ${run.exitCode ?? run.signalCode}`);
  return JSON.parse(printed) as Row[];
}

endInOrder();
const one = BENCHES[Number(alone ?? Number.NaN)];
const chosen = BENCHES.filter(([name]) => name.includes(only));
if (one !== undefined) {
  // Sets the same heap limit as `launch` does for a service.
  boundHeapGrowth();
  const rows = JSON.stringify(await measured(one[1]));
  process.stdout.write(rows, () => void endProcess(0));
} else if (chosen.length === 0) {
  const names = [...new Set(BENCHES.map(([name]) => name))].join(', ');
  console.error(`--only ${only}: no bench has this in its name; there are: ${names}`);
  await endProcess(2);
} else {
  const rows: Row[] = [];
  for (const bench of chosen) rows.push(...(await apart(BENCHES.indexOf(bench))));
  console.log(json ? JSON.stringify(rows, null, 2) : table(rows));
}
