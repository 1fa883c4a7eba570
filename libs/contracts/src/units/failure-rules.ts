import { asCasefileError } from '../errors/casefile-error.js';
import { reasonOf } from '../errors/reason-codes.js';
import type { Later } from '../outcome.js';
import type { Lease } from '../ports/units.js';
import { failed, parked, postponed, stopped, type Move } from './move.js';

/** Waits, or parks the run where the wait would end where it began. */
export function moveOfWait(lease: Lease, wait: Later): Move {
  const { reasonCode } = wait;
  const { of, final, words } = reasonOf(reasonCode);
  if (of !== 'money' && final !== true) return postponed(lease, wait);
  const message = `The next call of this run cannot be made: ${words}.`;
  return parked(lease, { reasonCode, message });
}

/**
 * A run that reads the record of another run ends where that run has no answer: asking again would not make one. It waits where
 * the budget of its batch has no room for the next call. null: the stage failed for another reason.
 */
export function missedEvidence(lease: Lease, thrown: unknown): Move | null {
  const why = asCasefileError(thrown);
  if (why.reasonCode === 'batch_budget') return parked(lease, why);
  return why.reasonCode === 'evidence_miss' ? stopped(lease, why) : null;
}

/** Failures of one step that are tried again before the run is quarantined. */
export const MAX_FAILURES = 5;
/** An unexpected failure is most likely the same next time: fewer tries. */
export const MAX_UNEXPECTED = 3;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;

/**
 * Returns what to do about a stage that threw: try again with a growing delay (1 s doubled each time, at most a minute; never
 * below what the other side asked for), or quarantine. If a budget is used up, the run is parked: trying again makes no room.
 */
export function moveOfFailure(lease: Lease, thrown: unknown, failuresBefore: number): Move {
  const error = asCasefileError(thrown);
  if (reasonOf(error.reasonCode).of === 'money') return parked(lease, error);
  const unexpected = error.reasonCode === 'unexpected';
  const allowed = unexpected ? MAX_UNEXPECTED : error.retryable ? MAX_FAILURES : 0;
  const delay = Math.min(FIRST_RETRY_MS * 2 ** failuresBefore, LAST_RETRY_MS);
  const retryInMs = failuresBefore + 1 < allowed ? Math.max(delay, error.retryAfterMs ?? 0) : null;
  return failed(lease, { reasonCode: error.reasonCode, message: error.message, retryInMs });
}
