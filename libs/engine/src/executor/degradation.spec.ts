import { CasefileError, done, later, moveOfFailure, moveOfWait, revise, stop } from '@casefile/contracts';
import { withRemarks } from './stage-end.js';

const lease = { runId: 'r', unit: '', stage: 'reason', round: 1, epoch: 1 };

describe('an answer that differs from the expected one', () => {
  it('goes with the draft or the review that rests on it, and nowhere else', () => {
    const remarks = new Set(['cheaper_model']);
    expect(withRemarks('draft', done({ remarks: ['a'] }), remarks)).toEqual(
      done({ remarks: ['a', 'cheaper_model'] }),
    );
    expect(withRemarks('review', revise({ ruling: 'PASS' }), remarks)).toMatchObject({
      artifact: { remarks: ['cheaper_model'] },
    });
    expect(withRemarks('report', done({}), remarks)).toEqual(done({}));
    expect(withRemarks('draft', stop('x', 'y'), remarks)).toEqual(stop('x', 'y'));
    expect(withRemarks('draft', done({ remarks: [] }), new Set())).toEqual(done({ remarks: [] }));
  });

  it('parks a run that would wait for nothing: without budget, or for what is said again each time', () => {
    for (const code of ['budget_exhausted', 'unknown_price', 'bad_request', 'refused', 'too_large']) {
      expect(moveOfWait(lease, later(1_000, code)).unit).toMatchObject({
        toStatus: 'parked',
        reasonCode: code,
      });
    }
    for (const code of ['rate_limited', 'circuit_open', 'bad_key', 'timeout']) {
      expect(moveOfWait(lease, later(1_000, code)).unit).toMatchObject({ toStatus: 'due', held: true });
    }
  });

  it('parks a run that failed because a budget was used up, and no other', () => {
    const unitOf = (thrown: Error) => moveOfFailure(lease, thrown, 0).unit;
    expect(unitOf(new CasefileError('budget_exhausted', 'day:usd is full'))).toEqual({
      toStatus: 'parked',
      reasonCode: 'budget_exhausted',
      message: 'day:usd is full',
    });
    expect(unitOf(new CasefileError('refused', 'no')).toStatus).toBe('quarantined');
    expect(unitOf(new Error('boom')).toStatus).toBe('due');
  });
});
