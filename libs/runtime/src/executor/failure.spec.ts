import { CasefileError, isOfTheWorker } from '@casefile/contracts';
import { changeOfFailure, MAX_FAILURES, MAX_UNEXPECTED } from './outcome-to-change.js';

describe('what is done about a stage that threw', () => {
  it('tries a retryable failure again with a growing delay, and no sooner than it was asked', () => {
    const error = new CasefileError('rate_limited', 'slow', { retryable: true });
    expect(changeOfFailure(error, 0)).toMatchObject({ retryInMs: 1_000 });
    expect(changeOfFailure(error, 2)).toMatchObject({ retryInMs: 4_000 });
    const patient = new CasefileError('rate_limited', 'slow', { retryable: true, retryAfterMs: 9_000 });
    expect(changeOfFailure(patient, 0)).toMatchObject({ retryInMs: 9_000 });
  });

  it('quarantines after the last try', () => {
    const error = new CasefileError('network', 'down', { retryable: true });
    expect(changeOfFailure(error, MAX_FAILURES - 1)).toMatchObject({
      kind: 'fail',
      reasonCode: 'network',
      retryInMs: null,
    });
    expect(changeOfFailure(new Error('bug'), MAX_UNEXPECTED - 1)).toMatchObject({
      reasonCode: 'unexpected',
      retryInMs: null,
    });
  });

  it('does not try again what cannot succeed', () => {
    expect(changeOfFailure(new CasefileError('bad_artifact', 'x'), 0)).toMatchObject({ retryInMs: null });
  });

  it('tells what concerns the worker from what concerns the work', () => {
    expect(isOfTheWorker(new CasefileError('stale_lease', ''))).toBe(true);
    expect(isOfTheWorker(new Error('bug'))).toBe(false);
  });
});
