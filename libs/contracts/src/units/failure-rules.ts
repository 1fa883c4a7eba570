import { asCasefileError } from '../errors/casefile-error.js';
import { reasonOf } from '../errors/reason-codes.js';
import type { Later } from '../outcome.js';
import type { Lease } from '../ports/units.js';
import { failStep, parkRun, postponeStep, stopRun, type Move } from './move.js';

/** Returns a postponement, or parks the run if waiting would not help. */
export function moveOfWait(lease: Lease, wait: Later): Move {
  const { reasonCode } = wait;
  const { of, final, words } = reasonOf(reasonCode);
  if (of !== 'money' && final !== true) return postponeStep(lease, wait);
  const message = `The next call of this run cannot be made: ${words}.`;
  return parkRun(lease, { reasonCode, message });
}

/**
 * Returns the move for a replay that found no recorded answer: the run stops, because a retry would not find
 * one either. If the budget of its batch has no room for the next call, the run is parked. null: the stage
 * failed for another reason.
 */
export function missedEvidence(lease: Lease, thrown: unknown): Move | null {
  const why = asCasefileError(thrown);
  if (why.reasonCode === 'batch_budget') return parkRun(lease, why);
  return why.reasonCode === 'evidence_miss' ? stopRun(lease, why) : null;
}

/** Number of failures of one step after which the run is quarantined. */
export const MAX_FAILURES = 5;
/**
 * Number of unexpected failures of one step after which the run is quarantined. It is lower, because
 * unexpected failures most likely repeat.
 */
export const MAX_UNEXPECTED = 3;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;

/**
 * Returns the move for a stage that threw: a retry after a growing delay (1 s, doubled each time, at most a
 * minute, never less than the other side requested), or quarantine. If a budget is used up, the run is
 * parked, because a retry would not help.
 */
export function moveOfFailure(lease: Lease, thrown: unknown, failuresBefore: number): Move {
  const error = asCasefileError(thrown);
  if (reasonOf(error.reasonCode).of === 'money') return parkRun(lease, error);
  const unexpected = error.reasonCode === 'unexpected';
  const allowed = unexpected ? MAX_UNEXPECTED : error.retryable ? MAX_FAILURES : 0;
  const delay = Math.min(FIRST_RETRY_MS * 2 ** failuresBefore, LAST_RETRY_MS);
  const retryInMs = failuresBefore + 1 < allowed ? Math.max(delay, error.retryAfterMs ?? 0) : null;
  return failStep(lease, { reasonCode: error.reasonCode, message: error.message, retryInMs });
}
