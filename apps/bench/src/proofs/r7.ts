import { setTimeout as pause } from 'node:timers/promises';
import { countRecord } from '@casefile/e2e/fault-run/count-record';
import { emptyQueue } from '@casefile/e2e/fault-run/empty-queue';
import { postUntilAccepted } from '@casefile/e2e/testing/sender';
import { rowsIn } from '@casefile/e2e/testing/run-casefile';
import { onRedisServices } from './parts/redis-services.js';
import { alertNumber, settled } from './parts/system.js';
import { Queue } from 'bullmq';
import type { StageJob } from '@casefile/contracts';
import type { Proof } from './proof.js';

const WITHIN_MS = 30_000;
/** Time in which the jobs of due units reach the store. */
const JOBS_SENT_MS = 500;
const STAGE = 'reason';
/** Alerts to post before the first look, runs that must wait in the store then, and most alerts in all. */
const SHORT = { first: 2, waiting: 3, most: 24 };
const LONG = { first: 1_000, waiting: 500, most: 1_000 };

export const r7: Proof = {
  id: 'R7',
  promise: 'An emptied queue store loses nothing.',
  mechanism: 'A sentinel job shows that the store was emptied. Then the sweeper sends every due unit again.',
  figure: 'all waiting runs woken again within 30 s of FLUSHALL',
  limitMinutes: 10,
  mutation: {
    what: 'the sweeper never leads',
    replacements: [
      {
        file: 'libs/engine/src/sweep/sweeper.ts',
        find: "this.leadership ??= await store.lead('sweeper');",
        replace: 'this.leadership = null;',
      },
    ],
  },
  run: async (context) => {
    const { short } = context;
    // The short form tests the outcome, not the time.
    const withinMs = short ? 120_000 : WITHIN_MS;
    // One model call at a time, so that the others wait in the queue.
    const options = { modelMs: short ? 3_000 : 50, oneCall: true };
    return onRedisServices(context, options, async ({ redis, databaseUrl, system }) => {
      const before = await countRecord(databaseUrl);
      const { url } = system.service('ingest');
      const queue = new Queue(STAGE, { connection: { url: redis.url } });
      queue.on('error', () => undefined);
      try {
        const { count, waiting } = await untilRunsWait(short ? SHORT : LONG, {
          post: (n) => postUntilAccepted(url, alertNumber(n), `emptied-${n}`, 120_000),
          waiting: () => waitingInStore(queue, databaseUrl),
        });
        await emptyQueue(redis.url);
        const emptiedAt = performance.now();
        const countAsleep = async (): Promise<number> => {
          const now = await due(databaseUrl);
          return waiting.filter(({ id, nudges }) => now.some((one) => one.id === id && one.nudges === nudges))
            .length;
        };
        while ((await countAsleep()) > 0 && performance.now() < emptiedAt + withinMs) await pause(200);
        const asleep = await countAsleep();
        const seconds = (performance.now() - emptiedAt) / 1000;
        const woken = `${waiting.length - asleep} of ${waiting.length} runs that waited in the store woken after ${seconds.toFixed(0)} s`;
        if (waiting.length === 0 || asleep > 0) return { measured: woken, passed: false };
        if (short) system.simulator.setScript({});
        const counts = await settled(databaseUrl, short ? 120_000 : 240_000);
        const decided = counts.decided - before.decided;
        return {
          measured: `${woken}, ${decided} of ${count} decided`,
          passed: decided === count && counts.verdictsTwice === 0,
        };
      } finally {
        await queue.close();
      }
    });
  },
};

interface Due {
  /** Run and unit. */
  id: string;
  nudges: number;
}

/** Posts alerts until enough runs wait in the store. Returns the number of alerts, and these runs. */
async function untilRunsWait(
  { first, waiting: fewest, most }: typeof SHORT,
  { post, waiting }: { post(n: number): Promise<unknown>; waiting(): Promise<Due[]> },
): Promise<{ count: number; waiting: Due[] }> {
  let count = 0;
  for (; count < first; count += 1) await post(count);
  for (let looks = 0; looks < 240; looks += 1) {
    const runs = await waiting();
    if (runs.length >= fewest) return { count, waiting: runs };
    if (count < most) await post(count++);
    await pause(JOBS_SENT_MS);
  }
  return { count, waiting: [] };
}

/**
 * Returns the due units whose job is in the queue store only. A worker holds the units of its jobs in memory,
 * and works on them also when the store was emptied: several units can share one job.
 */
async function waitingInStore(queue: Queue, databaseUrl: string): Promise<Due[]> {
  const units = await due(databaseUrl);
  const active = await queue.getJobs(['active']);
  const activeUnits = new Set(
    active.flatMap(({ data }) => unitsOf(data)).map(({ runId, unit }) => `${runId}/${unit}`),
  );
  // A unit that is due before its job is in the store looks the same, so it must have been due a while ago.
  await pause(JOBS_SENT_MS);
  const later = await due(databaseUrl);
  return units.filter(({ id }) => !activeUnits.has(id) && later.some((one) => one.id === id));
}

function unitsOf(data: StageJob | { units: StageJob[] }): StageJob[] {
  return 'units' in data ? data.units : [data];
}

async function due(databaseUrl: string): Promise<Due[]> {
  const rows = await rowsIn(
    databaseUrl,
    `select run_id || '/' || unit as id, nudges from units where status = 'due' and stage = '${STAGE}'`,
  );
  return rows.map(({ id, nudges }) => ({ id: String(id), nudges: Number(nudges) }));
}
