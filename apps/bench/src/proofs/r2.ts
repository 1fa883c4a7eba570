import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { startRedis } from '@casefile/embedded/testing';
import { rowsIn } from '@casefile/e2e/testing/run-casefile';
import { postUntilAccepted } from '@casefile/e2e/testing/sender';
import { testDatabase } from '@casefile/store/testing';
import { Queue } from 'bullmq';
import { sharedFaults } from './parts/faults.js';
import { alertNumber, proofSystem, settled } from './parts/system.js';
import type { Proof, ProofContext } from './proof.js';

export const r2: Proof = {
  id: 'R2',
  promise: 'No verdict is made twice. A delivery that is repeated has the same delivery id.',
  mechanism: 'The record accepts one verdict per run. The delivery id is written with the verdict.',
  figure: '0 verdicts twice, 0 deliveries twice after deduplication by id',
  limitMinutes: 20,
  shares: 'faults',
  mutation: {
    what: 'a repeated delivery gets a new id',
    replacements: [
      {
        file: 'libs/engine/src/delivery/outbox.ts',
        find: 'return { ...at, verdict: recordedVerdict(verdict) };',
        replace:
          'return { ...at, deliveryId: globalThis.crypto.randomUUID(), verdict: recordedVerdict(verdict) };',
      },
    ],
  },
  run: async (context) => {
    const { verdictsTwice } = await sharedFaults(context);
    const { sent, distinct } = await deliveredAgain(context);
    return {
      measured: `${verdictsTwice} verdicts twice, ${distinct} delivery ids for ${sent} verdicts sent twice`,
      passed: verdictsTwice === 0 && sent === distinct && sent > 0,
    };
  },
};

/** Lets every delivery be sent again, as after a crash before it was marked, and reads the queue. */
async function deliveredAgain(context: ProofContext): Promise<{ sent: number; distinct: number }> {
  const redis = await startRedis({ dir: join(temporaryFolder('deliveries'), 'redis') });
  const database = await testDatabase();
  const system = await proofSystem(context, { databaseUrl: database.url, queueUrl: redis.url, modelMs: 0 });
  const queue = new Queue('verdicts', { connection: { url: redis.url } });
  try {
    const sent = context.short ? 10 : 200;
    for (let n = 0; n < sent; n += 1)
      await postUntilAccepted(system.ingestUrl, alertNumber(n), `delivery-${n}`, 60_000);
    await settled(database.url, 120_000);
    await rowsIn(database.url, 'update deliveries set delivered_at = null');
    // A verdict with another id is never marked, so this does not wait for the marks.
    for (let looks = 0; looks < 60 && (await open(database.url)) > 0; looks += 1) await pause(250);
    const jobs = await queue.getJobs(['waiting', 'delayed', 'prioritized', 'active', 'completed']);
    return { sent, distinct: new Set(jobs.map(({ id }) => id)).size };
  } finally {
    await queue.close();
    await system.close();
    await database.drop();
    await redis.stop();
  }
}

async function open(databaseUrl: string): Promise<number> {
  const [row] = await rowsIn(
    databaseUrl,
    'select count(*)::int as n from deliveries where delivered_at is null',
  );
  return Number(row?.['n']);
}
