import { join } from 'node:path';
import { temporaryFolder } from '@casefile/contracts/testing';
import { startRedis } from '@casefile/embedded/testing';
import { runFaults, type FaultRunResult } from '@casefile/e2e/fault-run/run-faults';
import { testDatabase } from '@casefile/store/testing';
import type { ProofContext } from '../proof.js';

let run: Promise<FaultRunResult> | null = null;

/** The run with killed services that R1 to R4 share. The first proof in a process starts this run. */
export function sharedFaults(context: ProofContext): Promise<FaultRunResult> {
  return (run ??= faults(context));
}

async function faults({ seed, short, execArgv, say }: ProofContext): Promise<FaultRunResult> {
  const redis = await startRedis({ dir: join(temporaryFolder('faults'), 'redis') });
  const database = await testDatabase();
  try {
    return await runFaults({
      databaseUrl: database.url,
      queueUrl: redis.url,
      seed,
      // Five starts take most of the time of a short run, and one process is recovered in the same way.
      ...(short ? { layout: 'one process' as const } : {}),
      cases: short ? 6 : 200,
      kills: short ? 2 : 100,
      killEveryMs: short ? 1_500 : 3_000,
      firstKillIsInCall: true,
      modelMs: short ? 1_000 : 700,
      settleMs: short ? 180_000 : 300_000,
      execArgv,
      say,
    });
  } finally {
    await database.drop();
    await redis.stop();
  }
}

/** Returns the value below which 99 % (or another share) of the values are; 0 for none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
