import { CasefileError, done, later, revise, stop } from '@casefile/contracts';
import { withRemarks, parkedFailure, parkedWait } from './outcome-to-change.js';

describe('what an answer came to otherwise than meant', () => {
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
      expect(parkedWait(later(1_000, code))).toMatchObject({ kind: 'park', reasonCode: code });
    }
    for (const code of ['rate_limited', 'circuit_open', 'bad_key', 'timeout']) {
      expect(parkedWait(later(1_000, code))).toBeNull();
    }
  });

  it('parks a run that failed because a budget was used up, and no other', () => {
    expect(parkedFailure(new CasefileError('budget_exhausted', 'day:usd is full'))).toEqual({
      kind: 'park',
      reasonCode: 'budget_exhausted',
      message: 'day:usd is full',
    });
    expect(parkedFailure(new CasefileError('refused', 'no'))).toBeNull();
    expect(parkedFailure(new Error('boom'))).toBeNull();
  });
});
