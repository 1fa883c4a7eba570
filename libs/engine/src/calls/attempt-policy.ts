import { createHash } from 'node:crypto';
import { reasonOf, z, type CasefileError, type RunSettings } from '@casefile/contracts';

/** Limits on attempts and on the waits between them. Times in milliseconds. */
export interface AttemptLimits {
  /**
   * Number of attempts at one step with one provider, including the first attempt and recorded attempts. If a
   * crash ended the last permitted attempt, one more attempt is made.
   */
  attempts: number;
  /** The first wait is random between 0 and this value. The upper bound doubles with each attempt. */
  firstWaitMs: number;
  /** Maximum of that upper bound. */
  longestWaitMs: number;
  /** Random share of a wait, 0 to 1. Default: 1. */
  waitJitter?: number;
}

const ownLimits = z.object({
  attempts: z.number().int().min(1).optional(),
  firstWaitMs: z.number().min(0).optional(),
  waitJitter: z.number().min(0).max(1).optional(),
});

/** Returns the limits, with those that the run's options override by the same names. */
export function attemptsFor(limits: AttemptLimits, { options }: Pick<RunSettings, 'options'>): AttemptLimits {
  const own = ownLimits.safeParse(options).data ?? {};
  return { ...limits, ...own };
}

export interface FailedAttempt {
  error: CasefileError;
  /** Attempts made at this step with this provider so far. */
  attempts: number;
  /** Random seed that is recorded per stage, so that a repeated stage waits equally long. */
  seed: string;
  step: number;
  /** The caller puts the question again itself, with what was wrong with the answer. Default: it does not. */
  isAskedAgain?: boolean;
  /** Milliseconds since the epoch. */
  now: number;
  /**
   * Latest time for an answer, in milliseconds since the epoch; null: none. `longestWaitMs` limits each wait
   * either way.
   */
  deadlineAt: number | null;
}

/** Attempts at a step whose answers are empty or cut off. Each is paid for, and the next is likely to be the same. */
const MOST_UNUSABLE = 3;

export type AfterAttempt =
  | { kind: 'again'; waitMs: number }
  /** `waitMs`: wait for a caller that can try again later. */
  | { kind: 'give-up'; waitMs: number };

/** Returns whether a failure means that the provider is unavailable, so that another provider may succeed. */
export function isOutage({ reasonCode }: CasefileError): boolean {
  return reasonOf(reasonCode).outage?.includes('model') ?? false;
}

/**
 * Returns whether a failure concerns the account: an exhausted quota or a bad key. Such a call is never
 * retried, and its circuit opens immediately.
 */
export function isAccountFailure(reasonCode: string): boolean {
  return reasonOf(reasonCode).account === true;
}

/**
 * Returns whether to retry after a failed attempt, and the wait. Waits grow exponentially, with full jitter
 * from the recorded seed. `Retry-After` is the minimum. A wait that would pass the deadline is not started.
 */
export function afterAttempt(failed: FailedAttempt, limits: AttemptLimits): AfterAttempt {
  const { error, attempts, now, deadlineAt, isAskedAgain = false } = failed;
  const waitMs = failedAttemptWait(failed, limits);
  const { retry, of } = reasonOf(error.reasonCode);
  const most =
    of !== 'answer' ? limits.attempts : isAskedAgain ? 1 : Math.min(limits.attempts, MOST_UNUSABLE);
  if (retry !== true || attempts >= most) return { kind: 'give-up', waitMs };
  const fits = deadlineAt === null ? waitMs <= limits.longestWaitMs : now + waitMs < deadlineAt;
  return { kind: fits ? 'again' : 'give-up', waitMs };
}

function failedAttemptWait({ error, attempts, seed, step }: FailedAttempt, limits: AttemptLimits): number {
  const minimum = error.retryAfterMs;
  const doubled = limits.firstWaitMs * 2 ** Math.max(0, attempts - 1);
  // Adds jitter, so that calls with the same `Retry-After` do not all return at the same moment.
  const bound = minimum === undefined ? Math.min(doubled, limits.longestWaitMs) : limits.firstWaitMs;
  const { waitJitter = 1 } = limits;
  const share = 1 - waitJitter + waitJitter * wordShare(`${seed}/${step}/${attempts}/wait`);
  return Math.ceil((minimum ?? 0) + bound * share);
}

/** Returns a share from 0 to 1 that is always the same for the same text. */
export function wordShare(words: string): number {
  return createHash('sha256').update(words).digest().readUInt32BE(0) / 2 ** 32;
}
