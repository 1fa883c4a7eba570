import fc from 'fast-check';
import { stepBackTrials } from '../testing/step-back-trials.js';
import {
  ALARM_SCORE,
  NO_FAULTS,
  scoreAfter,
  stepBackCause,
  stepBackRule,
  type ArmScore,
  type StepBackRule,
} from './step-back.js';

const LIMITS = [0.02, 0.05, 0.1, 0.2];
const limits = fc.double({ min: 0.001, max: 0.5, noNaN: true });
const cases = fc.array(fc.boolean(), { maxLength: 200 });

const scored = (faults: readonly boolean[], rule: StepBackRule): ArmScore =>
  faults.reduce((score, isFault) => scoreAfter(score, isFault, rule), NO_FAULTS);

describe('the rule by which an arm steps back', () => {
  it('has the weights of a likelihood ratio of half the limit and 1.5 times the limit (S4-57)', () => {
    // By hand for a limit of 10 %: ln(0.15 / 0.05) and ln(0.85 / 0.95).
    const { up, down } = stepBackRule(0.1);
    expect(up).toBeCloseTo(1.0986123, 6);
    expect(down).toBeCloseTo(-0.1112256, 6);
  });

  it('needs 5, 6, 8, 10 consecutive faults at limits of 2, 5, 10, 20 % (S4-57)', () => {
    expect(LIMITS.map((limit) => stepBackRule(limit).streak)).toEqual([5, 6, 8, 10]);
  });

  it('takes the smallest streak that chance makes less often than 5 in 10^10 (S4-57)', () => {
    fc.assert(
      fc.property(limits, (limit) => {
        const { streak } = stepBackRule(limit);
        return (limit / 2) ** streak < 5e-10 && (limit / 2) ** (streak - 1) >= 5e-10;
      }),
    );
  });

  it('refuses limits for which 1.5 times the limit is no useful rate', () => {
    for (const limit of [0, -0.1, 0.0009, 0.51, 1, NaN, Infinity])
      expect(() => stepBackRule(limit)).toThrow(RangeError);
  });

  it('never scores below 0, and is the largest sum of any end of the sequence', () => {
    fc.assert(
      fc.property(limits, cases, (limit, faults) => {
        const rule = stepBackRule(limit);
        const { cusum } = scored(faults, rule);
        // Page's definition: the largest sum over the last n cases, for any n.
        let [sum, largest] = [0, 0];
        for (const isFault of faults.toReversed()) {
          sum += isFault ? rule.up : rule.down;
          largest = Math.max(largest, sum);
        }
        expect(cusum).toBeCloseTo(largest, 8);
      }),
    );
  });

  it('steps back for one fault more whenever it does for fewer', () => {
    fc.assert(
      fc.property(limits, cases, fc.nat(), (limit, faults, at) => {
        const rule = stepBackRule(limit);
        const worse = faults.map((isFault, i) => isFault || i === at % Math.max(1, faults.length));
        const fires = (list: boolean[]) =>
          list.some((_, i) => stepBackCause(scored(list.slice(0, i + 1), rule), rule) !== null);
        return !fires(faults) || fires(worse);
      }),
      { numRuns: 50 },
    );
  });

  it('names the cause: a streak, or the rate', () => {
    const rule = stepBackRule(0.05);
    expect(stepBackCause({ cusum: 6.6, consecutive: 6 }, rule)).toBe('consecutive_errors');
    expect(stepBackCause({ cusum: ALARM_SCORE, consecutive: 1 }, rule)).toBe('error_rate');
    expect(stepBackCause({ cusum: ALARM_SCORE - 0.01, consecutive: 5 }, rule)).toBeNull();
  });

  it.each([
    [0.02, 630],
    [0.05, 250],
    [0.1, 120],
    [0.2, 55],
  ])('at a limit of %d: no false alarm at half of it, %d cases at twice of it (S4-57)', (limit, most) => {
    const trials = stepBackTrials(limit, { runs: 5, cases: 200_000, seed: 36 });
    expect(trials.falseAlarms).toBe(0);
    expect(trials.until[2].median).toBeLessThanOrEqual(most);
    expect(trials.until[2].median).toBeGreaterThan(most / 2);
    expect(trials.until[4].median).toBeLessThan(trials.until[2].median);
    expect(trials.allFail).toBeLessThanOrEqual(15);
  });
});
