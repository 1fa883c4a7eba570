import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { instantModel } from '@casefile/e2e/testing/instant-model';
import { percentile, type Row } from './report.js';
import { startSpine, type Spine } from './spine.js';
import { judgePaced, MODEL_MS } from './with-bulk.js';

/** Alerts that are accepted at the same time while the backlog grows. */
const AT_ONCE = 100;
/** Live cases per figure. */
const LIVE = 100;
/** Time over which the drain rate is counted, in milliseconds. */
const DRAIN_MS = 20_000;

/** URLs of the record and of the queue. */
export interface BacklogStores {
  databaseUrl: string;
  queueUrl: string;
}

/** Figures with one number of waiting cases. */
export interface BacklogFigures {
  waiting: number;
  /** null: most of the cases waited already in a kept record. */
  acceptedPerSecond: number | null;
  liveP95: number;
  drainPerSecond: number;
  rssMb: number;
}

/** Case numbers of this process, so that a kept record gets new cases in each run. */
const FIRST_CASE = Date.now() * 1_000;

/**
 * Measures live cases, the drain rate and the memory of the process next to growing numbers of waiting cases
 * of the lane `batch`, all services in one process.
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
      const figures = { ...(await measure(spine, live)), acceptedPerSecond };
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

async function measure(spine: Spine, offset: number): Promise<Omit<BacklogFigures, 'acceptedPerSecond'>> {
  const waiting = await spine.unfinished();
  const live = await judgePaced(spine, LIVE, offset);
  const [before, from] = [await spine.unfinished(), performance.now()];
  await sleep(DRAIN_MS);
  const drained = before - (await spine.unfinished());
  return {
    waiting,
    liveP95: percentile(live, 95),
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
    const row = (what: string, key: keyof BacklogFigures, unit: string, wanted: string): Row => {
      const [now, before] = [each[key] ?? NaN, first[key] ?? NaN];
      const figure = `${now.toFixed(0)} ${unit}, before ${before.toFixed(0)}`;
      return { name: `${name}: ${what}`, figure, ratio: now / before, wanted };
    };
    return [
      row('live cases, p95', 'liveP95', 'ms', '<= 1.2'),
      row('drained per second', 'drainPerSecond', 'cases', '>= 0.9'),
      ...(each.acceptedPerSecond === null
        ? []
        : [row('accepted per second', 'acceptedPerSecond', 'cases', '')]),
      { ...row('memory of the process', 'rssMb', 'MB', '+50 MB'), ratio: null },
    ];
  });
}
