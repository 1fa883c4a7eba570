import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder } from '@casefile/contracts/testing';
import { startRedis } from '@casefile/embedded/testing';
import { postUntilAccepted } from '@casefile/e2e/testing/sender';
import { rowsIn } from '@casefile/e2e/testing/run-casefile';
import { testDatabase } from '@casefile/store/testing';
import { databaseGate } from './parts/database-gate.js';
import { alertNumber, proofSystem } from './parts/system.js';
import type { Proof } from './proof.js';

export const r8: Proof = {
  id: 'R8',
  promise: 'Work continues soon after an outage of Redis or Postgres, without a restart.',
  mechanism: 'Connections and refused wake-ups are tried again at least once per second.',
  figure: 'outages of 3, 10 and 30 s: a new alert decided within 2 s',
  limitMinutes: 10,
  mutation: {
    what: 'connections to Redis are tried again after 120 s',
    replacements: [
      {
        file: 'libs/queue/src/queue-options.ts',
        find: 'Math.min(50 * 2 ** Math.min(times, 10), SECOND)',
        replace: '120000',
      },
    ],
  },
  run: async (context) => {
    // The short form asserts that work continues, not how fast.
    const [outagesS, withinMs] = context.short ? [[1], 60_000] : [[3, 10, 30], 2_000];
    const redis = await startRedis({ dir: join(temporaryFolder('outages'), 'redis') });
    const database = await testDatabase();
    const gate = await databaseGate(database.url);
    const system = await proofSystem(context, { databaseUrl: gate.url, queueUrl: redis.url, modelMs: 10 });
    const parts = {
      Redis: { end: () => redis.kill9(), begin: () => redis.restart() },
      Postgres: { end: async () => gate.shut(), begin: async () => gate.open() },
    };
    const backMs: Record<string, number> = {};
    try {
      await decidedAfter(system.ingestUrl, database.url, 'before', 60_000);
      for (const [name, part] of Object.entries(parts))
        for (const seconds of outagesS) {
          await part.end();
          await pause(seconds * 1_000);
          await part.begin();
          const at = `${name} ${seconds} s`;
          backMs[at] = await decidedAfter(system.ingestUrl, database.url, at, 60_000);
          context.say(`${at}: decided after ${Math.round(backMs[at])} ms`);
        }
      const slowest = Math.max(...Object.values(backMs));
      return {
        measured: `slowest ${Number.isFinite(slowest) ? `${(slowest / 1000).toFixed(1)} s` : 'over 60 s'} of ${Object.keys(backMs).length} outages`,
        passed: slowest <= withinMs,
      };
    } finally {
      await system.close();
      await gate.close();
      await database.drop();
      await redis.stop();
    }
  },
};

/** Posts an alert until it is accepted. Returns the time until its verdict in milliseconds, infinite if too late. */
async function decidedAfter(
  ingestUrl: string,
  databaseUrl: string,
  key: string,
  withinMs: number,
): Promise<number> {
  const began = performance.now();
  const caseId = await postUntilAccepted(ingestUrl, { ...alertNumber(key), collect: false }, key, withinMs);
  for (; performance.now() - began < withinMs; await pause(20)) {
    const [row] = await rowsIn(databaseUrl, `select status from runs where case_id = '${caseId}'`);
    if (row?.['status'] === 'decided') return performance.now() - began;
  }
  return Number.POSITIVE_INFINITY;
}
