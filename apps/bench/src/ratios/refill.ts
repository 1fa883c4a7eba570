import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { instantModel } from '@casefile/e2e/testing/instant-model';
import type { BacklogStores } from './backlog.js';
import type { Row } from './report.js';
import { startSpine } from './spine.js';
import { MODEL_MS } from './with-bulk.js';

/** Live cases that arrive right after the queue store was emptied. */
const LIVE = 5;
/** Interval between counts of jobs, in milliseconds. */
const EVERY_MS = 1_000;

/**
 * Empties the queue store beside waiting cases. Measures when live cases are decided whose jobs were lost with
 * it, when a job of every waiting case is there again, and the highest memory of the process meanwhile.
 * @param empty Empties the queue store.
 */
export async function measureRefill(
  { databaseUrl, queueUrl }: BacklogStores,
  firstCase: number,
  empty: () => Promise<unknown>,
): Promise<Row[]> {
  const spine = await startSpine(databaseUrl, queueUrl, instantModel(MODEL_MS));
  try {
    await spine.judge(firstCase);
    const waiting = await spine.unfinished();
    const before = rssMb();
    const lost = Array.from({ length: LIVE }, (_, i) => spine.judgeUnsent(firstCase + 1 + i));
    await empty();
    const from = performance.now();
    const seconds = (): number => (performance.now() - from) / 1_000;
    const decided = Promise.all(lost).then(seconds);
    let highest = before;
    // Workers hold some cases, and decide others meanwhile.
    const isFull = async (): Promise<boolean> => (await spine.queued()) >= 0.99 * (await spine.unfinished());
    for (let full = false; !full; await sleep(EVERY_MS)) {
      full = await isFull();
      highest = Math.max(highest, rssMb());
    }
    const name = `queue store emptied with ${waiting.toLocaleString('en')} waiting`;
    const row = (what: string, figure: string): Row => ({
      name: `${name}: ${what}`,
      figure,
      ratio: null,
      wanted: '',
    });
    return [
      row('every job there again', `after ${seconds().toFixed(0)} s`),
      row(`${LIVE} live cases decided`, `after ${(await decided).toFixed(1)} s`),
      row('memory of the process', `at most ${highest.toFixed(0)} MB, before ${before.toFixed(0)}`),
    ];
  } finally {
    await spine.stop();
  }
}

function rssMb(): number {
  return process.memoryUsage().rss / 1024 / 1024;
}
