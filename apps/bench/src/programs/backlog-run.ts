// Measures intake, reads, live cases, claims, drain rate and memory next to 10,000 and next to a million waiting
// cases. Options: [--sizes 10000,1000000] [--lane batch|live] [--queue redis|postgres] [--dir FOLDER [--fill | --refill]]
// [--json]. With --dir the largest number waits in this folder, which is kept: --fill only fills it, and a later
// run measures from it. With --refill the queue store of the folder is emptied, and the refill measured.
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { INTAKE_LANES, silentLogger } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import {
  createDatabaseIfMissing,
  startEmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from '@casefile/embedded';
import { startRedis } from '@casefile/embedded/testing';
import { boundHeapGrowth, openDatabase } from '@casefile/runtime';
import { Redis } from 'ioredis';
import pg from 'pg';
import {
  backlogRows,
  FIRST_CASE,
  fillBacklog,
  measureBacklog,
  type BacklogFigures,
  type BacklogStores,
} from '../ratios/backlog.js';
import { measureRefill } from '../ratios/refill.js';
import { table, type Row } from '../ratios/report.js';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,1000000' },
    lane: { type: 'string', default: 'batch' },
    queue: { type: 'string', default: 'redis' },
    dir: { type: 'string' },
    fill: { type: 'boolean', default: false },
    refill: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const { queue, fill, refill, dir: folder } = values;
const lane = INTAKE_LANES.find((one) => one === values.lane);
if (lane === undefined) throw new Error(`--lane: expected ${INTAKE_LANES.join(' or ')}, got ${values.lane}`);
if (queue !== 'redis' && queue !== 'postgres')
  throw new Error(`--queue: expected redis or postgres, got ${queue}`);
if ((fill || refill) && folder === undefined)
  throw new Error('--fill, --refill: expected --dir FOLDER, which keeps what is filled');
if (refill && queue !== 'redis') throw new Error('--refill: expected --queue redis');
const sizes = values.sizes.split(',').map(Number);
const largest = Math.max(...sizes);
const note = (figures: BacklogFigures): void => void process.stderr.write(`${JSON.stringify(figures)}\n`);

boundHeapGrowth();
if (folder === undefined) {
  await onStores(temporaryFolder('backlog'), async (stores) => {
    print(backlogRows(queue, await measureBacklog(stores, lane, sizes, note)));
  });
} else if (fill) {
  await onStores(folder, async (stores) => {
    const from = performance.now();
    const accepted = await fillBacklog(stores, lane, largest);
    console.log(`${accepted} cases were accepted in ${((performance.now() - from) / 1000).toFixed(0)} s`);
  });
} else if (refill) {
  await onStores(folder, async (stores) => {
    const redis = new Redis(stores.queueUrl);
    const rows = await measureRefill(stores, FIRST_CASE, () => redis.flushall());
    redis.disconnect();
    print(rows);
  });
} else {
  const smaller = sizes.filter((size) => size < largest);
  await onStores(temporaryFolder('backlog'), async (fresh) => {
    const before = await measureBacklog(fresh, lane, smaller, note);
    await onStores(folder, async (stores) => {
      const after = await measureBacklog(stores, lane, [largest], note);
      print(backlogRows(queue, [...before, ...after]));
    });
  });
}
process.exit(0);

function print(rows: Row[]): void {
  console.log(values.json ? JSON.stringify(rows, null, 2) : table(rows));
}

/** Runs work on a Postgres and a Redis whose data is in a folder. Both end with this process in any case. */
async function onStores(dir: string, work: (stores: BacklogStores) => Promise<void>): Promise<void> {
  const options = { dataDir: join(dir, 'postgres'), log: silentLogger };
  await countStatements(options);
  const postgres = await startEmbeddedPostgres(options);
  const redis = await startRedis({ dir: join(dir, 'redis') });
  try {
    await createDatabaseIfMissing(postgres.url('postgres'), 'backlog');
    const database = { databaseUrl: postgres.url('backlog'), dataDir: dir };
    const { url } = await openDatabase(database, silentLogger);
    await inDatabase(url, 'create extension if not exists pg_stat_statements');
    await work({ databaseUrl: url, queueUrl: queue === 'redis' ? redis.url : url });
  } finally {
    await redis.stop();
    await postgres.stop();
  }
}

/** Lets the next start of this Postgres count what each statement costs. */
async function countStatements(options: EmbeddedPostgresOptions): Promise<void> {
  const postgres = await startEmbeddedPostgres(options);
  await inDatabase(
    postgres.url('postgres'),
    `alter system set shared_preload_libraries = 'pg_stat_statements'`,
  );
  await postgres.stop();
}

async function inDatabase(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(statement);
  await client.end();
}
