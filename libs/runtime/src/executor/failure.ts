import { asCasefileError, type Change } from '@casefile/contracts';

/** Failures of one step that are tried again before the run is quarantined. */
export const MAX_FAILURES = 5;
/** A failure nobody foresaw is most likely the same next time: fewer tries. */
export const MAX_UNEXPECTED = 3;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;

/**
 * What to do about a stage that threw: try again with a growing delay (1 s doubled each time, at most a
 * minute; never below what the other side asked for), or quarantine.
 */
export function changeOfFailure(thrown: unknown, failuresBefore: number): Change {
  const error = asCasefileError(thrown);
  const unexpected = error.reasonCode === 'unexpected';
  const allowed = unexpected ? MAX_UNEXPECTED : error.retryable ? MAX_FAILURES : 0;
  const delay = Math.min(FIRST_RETRY_MS * 2 ** failuresBefore, LAST_RETRY_MS);
  return {
    kind: 'fail',
    reasonCode: error.reasonCode,
    message: error.message,
    retryInMs: failuresBefore + 1 < allowed ? Math.max(delay, error.retryAfterMs ?? 0) : null,
  };
}
