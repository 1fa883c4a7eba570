import { CasefileError, isWorkerError, moveOfFailure, MAX_FAILURES, MAX_UNEXPECTED } from '../index.js';

const lease = { runId: 'r', unit: '', stage: 'reason', round: 1, epoch: 1 };
const unitAfter = (error: Error, failuresBefore: number) => moveOfFailure(lease, error, failuresBefore).unit;

describe('what is done about a stage that threw', () => {
  it('tries a retryable failure again with a growing delay, and no sooner than it was asked', () => {
    const error = new CasefileError('rate_limited', 'slow', { retryable: true });
    expect(unitAfter(error, 0)).toMatchObject({ resumeInMs: 1_000 });
    expect(unitAfter(error, 2)).toMatchObject({ resumeInMs: 4_000 });
    const patient = new CasefileError('rate_limited', 'slow', { retryable: true, retryAfterMs: 9_000 });
    expect(unitAfter(patient, 0)).toMatchObject({ resumeInMs: 9_000 });
  });

  it('quarantines after the last try', () => {
    const error = new CasefileError('network', 'down', { retryable: true });
    expect(unitAfter(error, MAX_FAILURES - 1)).toMatchObject({
      toStatus: 'quarantined',
      reasonCode: 'network',
    });
    expect(unitAfter(new Error('bug'), MAX_UNEXPECTED - 1)).toMatchObject({
      toStatus: 'quarantined',
      reasonCode: 'unexpected',
    });
  });

  it('does not try again what cannot succeed', () => {
    expect(unitAfter(new CasefileError('bad_artifact', 'x'), 0)).toMatchObject({ toStatus: 'quarantined' });
  });

  it('tells what concerns the worker from what concerns the work', () => {
    expect(isWorkerError(new CasefileError('stale_lease', ''))).toBe(true);
    expect(isWorkerError(new Error('bug'))).toBe(false);
  });
});
