import { CasefileError } from '@casefile/contracts';
import { DelayedError } from 'bullmq';
import { PUT_OFF } from './queue-options.js';
import type { BullJob } from './queue-store.js';

/**
 * Puts an alert off that could not be taken for a passing reason, uncounted: other people's jobs often
 * have a single attempt, and until it is accepted the alert is nowhere else.
 * @throws DelayedError, by which BullMQ knows that the job was moved; `error` itself when it is for good.
 */
export async function putOff(job: BullJob, token: string, error: unknown): Promise<never> {
  if (error instanceof CasefileError && !error.retryable) throw error;
  const wanted = error instanceof CasefileError ? (error.retryAfterMs ?? 0) : 0;
  const grown = Math.min(PUT_OFF.firstMs * 2 ** Math.min(job.attemptsStarted, 10), PUT_OFF.longestMs);
  await job.moveToDelayed(Date.now() + Math.max(wanted, grown), token);
  throw new DelayedError();
}
