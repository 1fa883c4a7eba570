import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IntakeLane } from '@casefile/contracts';
import { instantModel } from '@casefile/e2e/testing/instant-model';
import { createPostgresStore, type PostgresStore } from '@casefile/store';
import { percentile, type Row } from './report.js';
import { startSpine, type Spine } from './spine.js';
import { judgePaced, MODEL_MS } from './with-bulk.js';

/** Alerts that are accepted at the same time while the backlog grows. */
const AT_ONCE = 100;
/** Live cases per figure. */
const LIVE = 100;
/** Live cases whose wake-up is lost. */
const UNSENT = 5;
/** Alerts per figure of intake, and reads per page. */
const ASKED = 20;
/** Time over which the drain rate is counted, in milliseconds. */
const DRAIN_MS = 20_000;

/** URLs of the record and of the queue. */
export interface BacklogStores {
  databaseUrl: string;
  queueUrl: string;
}

/** What the statement that claims units costs per claimed unit. */
interface ClaimCost {
  /** Pages of tables and indexes that Postgres reads, from memory or disk. */
  pages: number;
  /** Execution time in milliseconds. It includes waits for a processor and for locks. */
  ms: number;
}

/** Verdicts of live cases, in milliseconds. */
interface LiveTimes {
  p95: number;
  /** Time of the slowest case whose first wake-up was lost. */
  unsentMs: number;
}

/** Figures with one number of waiting cases. */
export interface BacklogFigures {
  waiting: number;
  /** null: most of the cases waited already in a kept record. */
  acceptedPerSecond: number | null;
  /** null: live cases wait, so a new one waits behind them. */
  live: LiveTimes | null;
  /** Time until an alert is accepted, in milliseconds, one at a time. */
  acceptP95: number;
  /** Slowest duration of each read of the console's first pages, in milliseconds. */
  readMs: Record<string, number>;
  drainPerSecond: number;
  claims: ClaimCost;
  rssMb: number;
}

/** Case numbers of this process, so that a kept record gets new cases in each run. */
export const FIRST_CASE = Date.now() * 1_000;

/**
 * Measures intake, reads, live cases, also with a lost wake-up, claims, the drain rate and the memory of the
 * process next to growing numbers of waiting cases of a lane, all services in one process. The database has
 * the extension pg_stat_statements.
 * @param onFigures called with each number, because a million cases take minutes to accept.
 */
export async function measureBacklog(
  stores: BacklogStores,
  lane: IntakeLane,
  sizes: readonly number[],
  onFigures: (figures: BacklogFigures) => void,
): Promise<BacklogFigures[]> {
  const { databaseUrl, queueUrl } = stores;
  const spine = await startSpine(databaseUrl, queueUrl, instantModel(MODEL_MS));
  try {
    await judgePaced(spine, 20, FIRST_CASE);
    const measured: BacklogFigures[] = [];
    for (const [round, size] of sizes.entries()) {
      const offset = FIRST_CASE + (round + 1) * 10_000_000;
      const from = performance.now();
      const filled = await fill(spine, size, offset, lane);
      const rate = filled / ((performance.now() - from) / 1000);
      const acceptedPerSecond = filled > size / 2 ? rate : null;
      const figures = { ...(await measure(spine, stores, lane, offset + filled)), acceptedPerSecond };
      measured.push(figures);
      onFigures(figures);
    }
    return measured;
  } finally {
    await spine.stop();
  }
}

/** Adds the cases that are missing for `size` waiting ones, and measures nothing. Returns their number. */
export async function fillBacklog(
  { databaseUrl, queueUrl }: BacklogStores,
  lane: IntakeLane,
  size: number,
): Promise<number> {
  const spine = await startSpine(databaseUrl, queueUrl, instantModel(MODEL_MS));
  try {
    return await fill(spine, size, FIRST_CASE, lane);
  } finally {
    await spine.stop();
  }
}

async function fill(spine: Spine, size: number, offset: number, lane: IntakeLane): Promise<number> {
  const missing = Math.max(0, size - (await spine.unfinished()));
  await submitMany(spine, offset, missing, lane);
  return missing;
}

async function submitMany(spine: Spine, offset: number, count: number, lane: IntakeLane): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await spine.submit(offset + next++, lane);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function measure(
  spine: Spine,
  { databaseUrl }: BacklogStores,
  lane: IntakeLane,
  offset: number,
): Promise<Omit<BacklogFigures, 'acceptedPerSecond'>> {
  const store = createPostgresStore({ databaseUrl, poolSize: 4 });
  try {
    await store.database.rows('select pg_stat_statements_reset()');
    const waiting = await spine.unfinished();
    const live = lane === 'live' ? null : await measureLive(spine, offset);
    const accepted: number[] = [];
    for (let i = 0; i < ASKED; i += 1)
      accepted.push(await timed(() => spine.submit(offset + LIVE + UNSENT + i, lane)));
    const readMs = await measureReads(store);
    const [before, from] = [await spine.unfinished(), performance.now()];
    await sleep(DRAIN_MS);
    const drained = before - (await spine.unfinished());
    return {
      waiting,
      live,
      acceptP95: percentile(accepted, 95),
      readMs,
      drainPerSecond: drained / ((performance.now() - from) / 1000),
      claims: await claimCost(store),
      rssMb: process.memoryUsage().rss / 1024 / 1024,
    };
  } finally {
    await store.close();
  }
}

/** Returns the cost of the statement that claims units, since the statistics were reset. */
async function claimCost({ database }: PostgresStore): Promise<ClaimCost> {
  const [cost] = await database.rows<ClaimCost>(
    `select sum(shared_blks_hit + shared_blks_read)::float8 / sum(rows) as pages, sum(total_exec_time) / sum(rows) as ms
     from pg_stat_statements where query like '%as seen_epoch%' and query like '%work as (%' having sum(rows) > 0`,
  );
  if (cost === undefined)
    throw new Error('pg_stat_statements: expected rows of the statement that claims units');
  return cost;
}

async function measureLive(spine: Spine, offset: number): Promise<LiveTimes> {
  const p95 = percentile(await judgePaced(spine, LIVE, offset), 95);
  const unsentMs = await timed(() =>
    Promise.all(Array.from({ length: UNSENT }, (_, i) => spine.judgeUnsent(offset + LIVE + i))),
  );
  return { p95, unsentMs };
}

/** Measures the reads behind the console's first pages, and that of an autoscaler (k8s/scaling). */
async function measureReads({ record, database }: PostgresStore): Promise<Record<string, number>> {
  const reads = {
    'list of cases': () => record.listCases({ limit: 50 }),
    'pipeline figures': () => record.pipelineFigures(),
    'waiting units': () => record.dueUnits(10_000),
    'waiting work, for autoscalers': () =>
      database.rows(
        `select sum(due) / 10.0 from casefile_backlog where stage = 'collect' and lane <> 'live'`,
      ),
  };
  const slowest: Record<string, number> = {};
  for (const [name, read] of Object.entries(reads))
    for (let i = 0; i < ASKED; i += 1) slowest[name] = Math.max(slowest[name] ?? 0, await timed(read));
  return slowest;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** Returns the rows that compare each number of waiting cases with the first. */
export function backlogRows(queue: string, measured: readonly BacklogFigures[]): Row[] {
  const [first] = measured;
  if (first === undefined) return [];
  return measured.slice(1).flatMap((each): Row[] => {
    const name = `${each.waiting.toLocaleString('en')} waiting (${queue}) against ${first.waiting.toLocaleString('en')}`;
    const compared = (what: string, now: number, before: number, unit: string, wanted: string): Row => {
      const digits = before < 10 ? 2 : 0;
      const figure = `${now.toFixed(digits)} ${unit}, before ${before.toFixed(digits)}`;
      return { name: `${name}: ${what}`, figure, ratio: now / before, wanted };
    };
    return [
      ...(each.live === null || first.live === null
        ? []
        : [
            compared('live cases, p95', each.live.p95, first.live.p95, 'ms', '<= 1.2'),
            compared(
              'live case whose wake-up was lost',
              each.live.unsentMs,
              first.live.unsentMs,
              'ms',
              '<= 1.2',
            ),
          ]),
      compared('alert accepted, p95', each.acceptP95, first.acceptP95, 'ms', ''),
      ...Object.entries(each.readMs).map(([read, ms]) =>
        compared(`slowest read: ${read}`, ms, first.readMs[read] ?? NaN, 'ms', ''),
      ),
      // An index of more entries has more levels.
      compared('pages per claim', each.claims.pages, first.claims.pages, 'pages', ''),
      compared('time per claim', each.claims.ms, first.claims.ms, 'ms', '<= 1.1'),
      compared('drained per second', each.drainPerSecond, first.drainPerSecond, 'cases', '>= 0.9'),
      ...(each.acceptedPerSecond === null || first.acceptedPerSecond === null
        ? []
        : [compared('accepted per second', each.acceptedPerSecond, first.acceptedPerSecond, 'cases', '')]),
      { ...compared('memory of the process', each.rssMb, first.rssMb, 'MB', '+50 MB'), ratio: null },
    ];
  });
}
