import { EQUAL, LOSING, recommendedAfter } from '../trials.js';

describe('S4-56: the promotion rule, applied after every case', () => {
  const EXPERIMENTS = 60;
  const recommended = (outcomes: (number | null)[]) => outcomes.filter((after) => after !== null).length;

  it.each(['paired, 3 points', 'A/B 50 %, 5 points'])(
    'recommends an arm that loses exactly the margin in at most 5 %%: %s',
    (name) => {
      const trial = { ...LOSING[name]!, cases: 2_000 };
      expect(recommended(recommendedAfter(trial, EXPERIMENTS))).toBeLessThanOrEqual(0.05 * EXPERIMENTS);
    },
  );

  it('recommends an equal arm within 750 pairs in 90 %', () => {
    expect(recommended(recommendedAfter(EQUAL, EXPERIMENTS))).toBeGreaterThanOrEqual(0.9 * EXPERIMENTS);
  });
});
