import { CasefileError, done, later, revise, stop } from '@casefile/contracts';
import { asMeant, parked } from './degradation.js';

describe('what an answer came to otherwise than meant', () => {
  it('goes with the draft or the review that rests on it, and nowhere else', () => {
    const remarks = new Set(['cheaper_model']);
    expect(asMeant('draft', done({ remarks: ['a'] }), remarks)).toEqual(
      done({ remarks: ['a', 'cheaper_model'] }),
    );
    expect(asMeant('review', revise({ ruling: 'PASS' }), remarks)).toMatchObject({
      artifact: { remarks: ['cheaper_model'] },
    });
    expect(asMeant('report', done({}), remarks)).toEqual(done({}));
    expect(asMeant('draft', stop('x', 'y'), remarks)).toEqual(stop('x', 'y'));
    expect(asMeant('draft', done({ remarks: [] }), new Set())).toEqual(done({ remarks: [] }));
  });

  it('parks a run for want of budget alone', () => {
    const parks = { kind: 'park', reasonCode: 'budget_exhausted' };
    expect(parked(later(1_000, 'budget_exhausted'))).toMatchObject(parks);
    expect(parked(new CasefileError('budget_exhausted', 'day:usd is full'))).toMatchObject({
      ...parks,
      message: 'day:usd is full',
    });
    expect(parked(later(1_000, 'rate_limited'))).toBeNull();
    expect(parked(new Error('boom'))).toBeNull();
  });
});
