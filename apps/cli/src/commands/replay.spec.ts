import { endLines } from './replay.js';

const run = { id: 'run-1', message: 'the budget day:usd is used up.', reasonCode: 'budget_exhausted' };

describe('casefile replay', () => {
  it('R18 prints why a run has no verdict', () => {
    expect(endLines({ ...run, status: 'decided' })).toEqual([]);
    expect(endLines({ ...run, status: 'parked' })).toEqual([
      'run run-1 is parked, budget_exhausted: the budget day:usd is used up. (redrive it in the console under "Dead letters")',
    ]);
    expect(
      endLines({ id: 'run-1', status: 'stopped', reasonCode: 'evidence_miss', message: 'step 1' }),
    ).toEqual(['evidence miss in run run-1: step 1']);
    expect(endLines({ id: 'run-1', status: 'stopped', reasonCode: null, message: null })).toEqual([
      'run run-1 is stopped, no reason: ',
    ]);
  });
});
