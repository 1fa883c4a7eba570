import { interleavings } from '../testing/index.js';
import { ALL_RULES, CASE_RULES, type CaseRule } from './index.js';

describe('a case under random interleavings of alerts, verdicts, answers and batches', () => {
  it('T-43 S2-40 keeps every sentence', () => {
    expect([...interleavings(4_000, 1, ALL_RULES)]).toEqual([]);
  });

  it.each(Object.keys(CASE_RULES) as CaseRule[])('without the rule %s, a sentence is violated', (rule) => {
    expect([...interleavings(4_000, 1, new Set([rule])).keys()]).not.toEqual([]);
  });
});
