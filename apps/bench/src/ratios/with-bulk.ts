import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { instantModel } from '@casefile/e2e/testing/instant-model';
import { percentile, type Row } from './report.js';
import type { Stores } from './rows.js';
import { startSpine, type Spine } from './spine.js';

/** Duration of a model answer while a batch runs. */
export const MODEL_MS = 300;
/** Interval between live cases. */
const EVERY_MS = 150;

/**
 * Compares the duration of live cases next to a waiting batch with their duration alone just before, with all
 * services in one process.
 */
export async function withBulk(stores: Stores, live: number, bulk: number): Promise<Row[]> {
  const spine = await startSpine(await stores.newDatabase(), stores.redisUrl, instantModel(MODEL_MS));
  try {
    await judgePaced(spine, 10, 0);
    const alone = await judgePaced(spine, live, 1_000_000);
    await Promise.all(Array.from({ length: bulk }, (_, i) => spine.submit(2_000_000 + i, 'batch')));
    const before = await spine.unfinished();
    const loaded = await judgePaced(spine, live, 3_000_000);
    const after = await spine.unfinished();
    const row = (p: number, wanted: string): Row => ({
      name: `live cases with ${bulk} of a batch against alone, p${p}`,
      figure: `${percentile(loaded, p).toFixed(0)} ms, alone ${percentile(alone, p).toFixed(0)} ms`,
      ratio: percentile(loaded, p) / percentile(alone, p),
      wanted,
    });
    const moved: Row = {
      name: 'the batch meanwhile',
      figure: `${before} waited at first, ${after} at the end`,
      ratio: null,
      wanted: 'fewer, and not none',
    };
    return [row(50, ''), row(95, '<= 1.2'), moved];
  } finally {
    await spine.stop();
  }
}

/** Submits `cases` at an even pace. Returns the milliseconds from intake to verdict of each. */
export async function judgePaced(
  spine: Pick<Spine, 'judge'>,
  cases: number,
  offset: number,
): Promise<number[]> {
  const took: Promise<number>[] = [];
  for (let i = 0; i < cases; i += 1) {
    const from = performance.now();
    took.push(spine.judge(offset + i).then(() => performance.now() - from));
    await sleep(EVERY_MS);
  }
  return Promise.all(took);
}
