import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { instantModel } from '@casefile/e2e/testing/instant-model';
import pg from 'pg';
import { percentile, type Row } from './report.js';
import { startSpine, type Spine } from './spine.js';
import { judgePaced, MODEL_MS } from './with-bulk.js';

/** Alerts that are accepted at the same time while the backlog grows. */
const AT_ONCE = 100;
/** Live cases per figure. */
const LIVE = 100;
/** Live cases whose wake-up is lost. */
const UNSENT = 5;
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

/** Figures with one number of waiting cases. */
export interface BacklogFigures {
  waiting: number;
  /** null: most of the cases waited already in a kept record. */
  acceptedPerSecond: number | null;
  liveP95: number;
  /** Time to the verdict of the slowest live case whose wake-up was lost, in milliseconds. */
  unsentMs: number;
  drainPerSecond: number;
  claims: ClaimCost;
  rssMb: number;
}

/** Case numbers of this process, so that a kept record gets new cases in each run. */
const FIRST_CASE = Date.now() * 1_000;

/**
 * Measures live cases, also with a lost wake-up, claims, the drain rate and the memory of the process next to
 * growing numbers of waiting cases of the lane `batch`, all services in one process. The database has the extension pg_stat_statements.
 * @param onFigures called with each number, because a million cases take minutes to accept.
 */
export async function measureBacklog(
  { databaseUrl, queueUrl }: BacklogStores,
  sizes: readonly number[],
  onFigures: (figures: BacklogFigures) => void,
): Promise<BacklogFigures[]> {
  const spine = await startSpine(databaseUrl, queueUrl, instantModel(MODEL_MS));
  try {
    await judgePaced(spine, 20, FIRST_CASE);
    const measured: BacklogFigures[] = [];
    let submitted = 0;
    for (const [round, size] of sizes.entries()) {
      const from = performance.now();
      const missing = await fill(spine, size, FIRST_CASE + 1_000_000_000 + submitted);
      submitted += missing;
      const rate = missing / ((performance.now() - from) / 1000);
      const acceptedPerSecond = missing > size / 2 ? rate : null;
      const live = FIRST_CASE + (round + 1) * 10_000_000;
      const statements = await countedStatements(databaseUrl);
      const figures = {
        ...(await measure(spine, live)),
        claims: await statements.claims(),
        acceptedPerSecond,
      };
      measured.push(figures);
      onFigures(figures);
    }
    return measured;
  } finally {
    await spine.stop();
  }
}

/** Fills a record until `size` cases wait, and measures nothing. Returns the number of accepted cases. */
export async function fillBacklog({ databaseUrl, queueUrl }: BacklogStores, size: number): Promise<number> {
  const spine = await startSpine(databaseUrl, queueUrl, instantModel(MODEL_MS));
  try {
    return await fill(spine, size, FIRST_CASE);
  } finally {
    await spine.stop();
  }
}

async function fill(spine: Spine, size: number, offset: number): Promise<number> {
  const missing = Math.max(0, size - (await spine.unfinished()));
  await submitMany(spine, offset, missing);
  return missing;
}

async function submitMany(spine: Spine, offset: number, count: number): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await spine.submit(offset + next++, 'batch');
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Counts the cost of statements from now on, by the extension pg_stat_statements. */
async function countedStatements(connectionString: string): Promise<{ claims(): Promise<ClaimCost> }> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('select pg_stat_statements_reset()');
  return {
    claims: async () => {
      const { rows } = await client.query<ClaimCost>(
        `select sum(shared_blks_hit + shared_blks_read)::float8 / sum(rows) as pages, sum(total_exec_time) / sum(rows) as ms
         from pg_stat_statements where query like '%as seen_epoch%' and query like '%work as (%' having sum(rows) > 0`,
      );
      await client.end();
      if (rows[0] === undefined)
        throw new Error('pg_stat_statements: expected rows of the statement that claims units');
      return rows[0];
    },
  };
}

async function measure(
  spine: Spine,
  offset: number,
): Promise<Omit<BacklogFigures, 'acceptedPerSecond' | 'claims'>> {
  const waiting = await spine.unfinished();
  const live = await judgePaced(spine, LIVE, offset);
  const sentAt = performance.now();
  await Promise.all(Array.from({ length: UNSENT }, (_, i) => spine.judgeUnsent(offset + LIVE + i)));
  const unsentMs = performance.now() - sentAt;
  const [before, from] = [await spine.unfinished(), performance.now()];
  await sleep(DRAIN_MS);
  const drained = before - (await spine.unfinished());
  return {
    waiting,
    liveP95: percentile(live, 95),
    unsentMs,
    drainPerSecond: drained / ((performance.now() - from) / 1000),
    rssMb: process.memoryUsage().rss / 1024 / 1024,
  };
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
    const row = (
      what: string,
      key: Exclude<keyof BacklogFigures, 'claims'>,
      unit: string,
      wanted: string,
    ): Row => compared(what, each[key] ?? NaN, first[key] ?? NaN, unit, wanted);
    return [
      row('live cases, p95', 'liveP95', 'ms', '<= 1.2'),
      row('live case whose wake-up was lost', 'unsentMs', 'ms', '<= 1.2'),
      // An index of more entries has more levels.
      compared('pages per claim', each.claims.pages, first.claims.pages, 'pages', ''),
      compared('time per claim', each.claims.ms, first.claims.ms, 'ms', '<= 1.1'),
      row('drained per second', 'drainPerSecond', 'cases', '>= 0.9'),
      ...(each.acceptedPerSecond === null
        ? []
        : [row('accepted per second', 'acceptedPerSecond', 'cases', '')]),
      { ...row('memory of the process', 'rssMb', 'MB', '+50 MB'), ratio: null },
    ];
  });
}
