import type { CasefileError } from '@casefile/contracts';

export interface Patience {
  /** Before the second try; doubled before each one after it. */
  firstMs: number;
  /** A longer wait than this is not worth a place: give up instead. */
  maxMs: number;
}

export const PATIENCE: Patience = { firstMs: 250, maxMs: 10_000 };

/**
 * How long to wait before the next try, null: do not try again. Half of the wait is drawn at random, so that
 * workers that failed together do not come back together; what the other side asks for is a minimum.
 */
export function delayBefore(tries: number, failure: CasefileError, patience: Patience): number | null {
  if (!failure.retryable) return null;
  const asked = failure.retryAfterMs ?? 0;
  if (asked > patience.maxMs) return null;
  const grown = Math.min(patience.firstMs * 2 ** Math.max(0, tries - 1), patience.maxMs);
  return asked + (grown / 2) * (1 + Math.random());
}
