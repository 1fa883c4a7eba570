import { CasefileError, InvalidInput, type Logger } from '@casefile/contracts';
import { DelayedError, UnrecoverableError, WaitingError } from 'bullmq';
import { CLOSE_PATIENCE_MS, PUT_OFF } from './queue-options.js';
import { withinTime, type BullJob } from './queue-store.js';

/** Converts the error of an invalid job to one without a retry, which would find the same problems. */
export function forGood(error: InvalidInput): UnrecoverableError {
  return Object.assign(new UnrecoverableError(error.message), { cause: error });
}

/** Moves a job that was fetched during a pause back to the head of its queue, for another process. */
export async function giveBack(job: BullJob, token: string): Promise<never> {
  await job.moveToWait(token);
  throw new WaitingError();
}

/** Waits for closing workers up to a limit, because BullMQ would wait for an unavailable store. */
export async function closedOrLate(closing: Promise<void>[], log: Logger): Promise<void> {
  try {
    await withinTime(CLOSE_PATIENCE_MS, Promise.allSettled(closing), 'closing');
  } catch (error) {
    log.warn({ err: error }, 'workers end when the connection closes');
  }
}

/**
 * Postpones a job of the queues `alerts` and `feedback` after a temporary failure. The failure does not count
 * as an attempt: BullMQ would fail a job with one attempt, which holds the only copy of its alert.
 * @throws DelayedError, by which BullMQ learns that the job was moved; `error` itself if it is permanent.
 */
export async function putOff(job: BullJob, token: string, error: unknown): Promise<never> {
  if (error instanceof CasefileError && !error.retryable) throw error;
  const wanted = error instanceof CasefileError ? (error.retryAfterMs ?? 0) : 0;
  const grown = Math.min(PUT_OFF.firstMs * 2 ** Math.min(job.attemptsStarted, 10), PUT_OFF.longestMs);
  await job.moveToDelayed(Date.now() + Math.max(wanted, grown), token);
  throw new DelayedError();
}
