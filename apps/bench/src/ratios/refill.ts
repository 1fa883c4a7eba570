import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { instantModel } from '@casefile/e2e/testing/instant-model';
import type { BacklogStores } from './backlog.js';
import { percentile, type Row } from './report.js';
import { startSpine, type Spine } from './spine.js';
import { judgePaced, MODEL_MS } from './with-bulk.js';

/** Live cases whose jobs are lost. */
const LOST = 5;
/** Live cases that are judged next. */
const PACED = 100;
/** Interval between looks at the refill and at the memory, in milliseconds. */
const EVERY_MS = 1_000;

/**
 * Empties the queue store while cases wait. Measures when live cases are decided whose jobs were lost with
 * it, when the jobs of all waiting cases are there again, the next live cases, and the highest memory meanwhile.
 * @param empty Empties the queue store.
 */
export async function measureRefill(
  { databaseUrl, queueUrl }: BacklogStores,
  firstCase: number,
  empty: () => Promise<unknown>,
): Promise<Row[]> {
  const spine = await startSpine(databaseUrl, queueUrl, instantModel(MODEL_MS));
  let sampling: NodeJS.Timeout | undefined;
  try {
    await spine.judge(firstCase);
    await refilled(spine);
    const waiting = await spine.unfinished();
    const before = rssMb();
    let highest = before;
    sampling = setInterval(() => (highest = Math.max(highest, rssMb())), EVERY_MS);
    const lost = Array.from({ length: LOST }, (_, i) => spine.judgeUnsent(firstCase + 1 + i));
    await empty();
    const from = performance.now();
    const seconds = (): number => (performance.now() - from) / 1_000;
    const refilling = refilled(spine).then(seconds);
    await Promise.all(lost);
    const decidedAfter = seconds();
    const paced = await judgePaced(spine, PACED, firstCase + 1_000);
    const refilledAfter = await refilling;
    const name = `queue store emptied with ${waiting.toLocaleString('en')} waiting`;
    const row = (what: string, figure: string): Row => ({
      name: `${name}: ${what}`,
      figure,
      ratio: null,
      wanted: '',
    });
    return [
      row('every job there again', `after ${refilledAfter.toFixed(0)} s`),
      row(`${LOST} live cases decided whose jobs were lost`, `after ${decidedAfter.toFixed(1)} s`),
      row(`next ${PACED} live cases, p95`, `${percentile(paced, 95).toFixed(0)} ms`),
      row('memory of the process', `at most ${highest.toFixed(0)} MB, before ${before.toFixed(0)}`),
    ];
  } finally {
    clearInterval(sampling);
    await spine.stop();
  }
}

/** Waits until a refill has ended. */
async function refilled(spine: Spine): Promise<void> {
  while (!(await spine.isRefilled())) await sleep(EVERY_MS);
}

function rssMb(): number {
  return process.memoryUsage().rss / 1024 / 1024;
}
