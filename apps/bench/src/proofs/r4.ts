import { setTimeout as pause } from 'node:timers/promises';
import { gatedModel } from '@casefile/e2e/browser/gated-model';
import { rowsIn } from '@casefile/e2e/testing/run-casefile';
import { worldOn } from '@casefile/e2e/testing/world';
import { SWEEPER_LIMITS } from '@casefile/runtime';
import { testDatabase } from '@casefile/store/testing';
import { percentile, sharedFaults } from './parts/faults.js';
import { alertNumber } from './parts/system.js';
import type { Proof } from './proof.js';

const WITHIN_S = 10;

export const r4: Proof = {
  id: 'R4',
  promise: 'Another worker continues soon after a worker died.',
  mechanism: 'Leases of 6 s, and a sweeper that looks every second for units whose lease has ended.',
  figure: 'from a kill to the next step: p99 <= 10 s',
  limitMinutes: 20,
  shares: 'faults',
  mutation: {
    what: 'leases of a minute',
    replacements: [
      {
        file: 'libs/runtime/src/compose/platform.ts',
        find: 'leaseMs: lease.seconds * 1000,',
        replace: 'leaseMs: lease.seconds * 10000,',
      },
    ],
  },
  run: async (context) => {
    // The clock of the record: the time until a lease ends that was just granted, and one pass of the sweeper.
    const claimableS = (await leaseSeconds()) + SWEEPER_LIMITS.intervalMs / 1000;
    if (context.short)
      return {
        measured: `claimable after ${claimableS.toFixed(0)} s by the clock of the record`,
        passed: claimableS > 1 && claimableS <= WITHIN_S,
      };
    const { takeOversMs } = await sharedFaults(context);
    const p99 = percentile(takeOversMs, 0.99) / 1000;
    return {
      measured: `p99 ${p99.toFixed(1)} s, median ${(percentile(takeOversMs, 0.5) / 1000).toFixed(1)} s of ${takeOversMs.length} interrupted calls`,
      passed: claimableS <= WITHIN_S && takeOversMs.length > 0 && p99 <= WITHIN_S,
    };
  },
};

/** Seconds until the lease of a running unit ends, read from the record. */
async function leaseSeconds(): Promise<number> {
  const database = await testDatabase();
  const model = gatedModel({ content: '', reasoning: '' });
  model.shut();
  const world = await worldOn(database.url, 'postgres', model, { LOG_LEVEL: 'fatal' });
  try {
    await world.accept({ ...alertNumber(1), collect: false });
    for (let looks = 0; looks < 1_200; looks += 1) {
      const [row] = await rowsIn(
        database.url,
        `select extract(epoch from lease_until - now())::float8 as s from units where status = 'running' and stage = 'reason'`,
      );
      if (row !== undefined) return Number(row['s']);
      await pause(50);
    }
    throw new Error('no unit is running');
  } finally {
    model.open();
    await world.close();
    await database.drop();
  }
}
