// Compares reads and throughput on a record of a million cases with those on an empty one, in one run.
// Options: [--cases 1000000] [--interactions 10000000] [--judged 1000] [--rounds 5] [--dir FOLDER [--fill]]
// [--json]. With --dir the filled record is kept: --fill only fills it, and a later run measures from it.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { silentLogger } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { instantModel } from '@casefile/e2e/testing/instant-model';
import { createDatabaseIfMissing, startEmbeddedPostgres } from '@casefile/embedded';
import { startRedis } from '@casefile/embedded/testing';
import { boundHeapGrowth } from '@casefile/runtime';
import { createPostgresStore, migrate } from '@casefile/store';
import { fillRecord } from '../fill-record/fill-record.js';
import { measureReads } from '../fill-record/measure-reads.js';
import { readFigures } from '../fill-record/read-figures.js';
import { median, table, type Row } from '../ratios/report.js';
import { closedLoop } from '../ratios/rows.js';
import { startSpine, type Spine } from '../ratios/spine.js';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '1000000' },
    interactions: { type: 'string', default: '10000000' },
    /** Cases per round of the throughput. */
    judged: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    dir: { type: 'string' },
    fill: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const [cases, casesPerRound, rounds] = [values.cases, values.judged, values.rounds].map(Number) as [
  number,
  number,
  number,
];
const interactionsPerCase = Math.round(Number(values.interactions) / cases);
if (values.fill && values.dir === undefined)
  throw new Error('--fill: expected --dir FOLDER, which keeps what is filled');
/** Case numbers of this process, so that a kept record gets new cases in each run. */
const FIRST_CASE = Date.now() * 1_000;

boundHeapGrowth();
const dir = values.dir ?? temporaryFolder('growth');
const postgres = await startEmbeddedPostgres({ dataDir: join(dir, 'postgres'), log: silentLogger });
const redis = [
  await startRedis({ dir: join(temporaryFolder('growth-redis'), 'grown') }),
  await startRedis({ dir: join(temporaryFolder('growth-redis'), 'empty') }),
] as const;
const stop = async (): Promise<void> => {
  await Promise.all(redis.map((server) => server.stop()));
  await postgres.stop();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stop().finally(() => process.exit(130)));
try {
  const grown = await database('casefile');
  await fillIfEmpty(grown);
  await readFigures(grown);
  if (!values.fill) await measure(grown);
} finally {
  await stop();
}
process.exit(0);

async function measure(grown: string): Promise<void> {
  const empty = await database(`empty_${Date.now()}`);
  const rows = [...readRows(await measureReads(grown)), ...(await throughput(grown, empty))];
  console.log(values.json ? JSON.stringify(rows, null, 2) : table(rows));
}

async function database(name: string): Promise<string> {
  await createDatabaseIfMissing(postgres.url('postgres'), name);
  await migrate(postgres.url(name));
  return postgres.url(name);
}

async function fillIfEmpty(url: string): Promise<void> {
  const store = createPostgresStore({ databaseUrl: url, poolSize: 3 });
  const isEmpty = await store.record.isEmpty().finally(() => store.close());
  if (!isEmpty) return;
  await fillRecord(url, { cases, interactionsPerCase }, (done) => process.stderr.write(`${done} cases\n`));
}

/** Reads are slowest where most rows match, which an empty record cannot show: the limit is absolute. */
function readRows(rows: Row[]): Row[] {
  return rows.map((row) => ({ ...row, ratio: null, wanted: '<= 400 ms' }));
}

/** Cases per second on both records, alternating, all services in one process on each. */
async function throughput(grownUrl: string, emptyUrl: string): Promise<Row[]> {
  const spines: [Spine, Spine] = [
    await startSpine(grownUrl, redis[0].url, instantModel()),
    await startSpine(emptyUrl, redis[1].url, instantModel()),
  ];
  try {
    for (const spine of spines) await closedLoop(spine, casesPerRound, FIRST_CASE);
    const pairs: { grown: number; empty: number }[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const of = (spine: Spine): Promise<number> =>
        closedLoop(spine, casesPerRound, FIRST_CASE + round * 1_000_000);
      // The order alternates, so that a machine that slows down favours neither.
      const [first, second] = round % 2 === 0 ? spines : [spines[1], spines[0]];
      const took = new Map([[first, await of(first)]]);
      took.set(second, await of(second));
      pairs.push({ grown: took.get(spines[0]) ?? 0, empty: took.get(spines[1]) ?? 0 });
    }
    const of = (key: 'grown' | 'empty'): string => median(pairs.map((pair) => pair[key])).toFixed(0);
    return [
      {
        name: `throughput on ${cases.toLocaleString('en')} cases against an empty record`,
        figure: `${of('grown')} cases/s, empty ${of('empty')}`,
        ratio: median(pairs.map((pair) => pair.grown / pair.empty)),
        wanted: '>= 0.9',
      },
    ];
  } finally {
    for (const spine of spines) await spine.stop();
  }
}
