import { NO_FAULTS, scoreAfter, stepBackCause, stepBackRule } from '../rollout/step-back.js';
import { seededRandom } from '../seeded-random.js';

/**
 * Returns after how many cases an arm steps back; null: not within `most` cases.
 * @param rate probability of a fault per case
 */
function casesUntilStepBack(limit: number, rate: number, most: number, random: () => number): number | null {
  const rule = stepBackRule(limit);
  let score = NO_FAULTS;
  for (let cases = 1; cases <= most; cases += 1) {
    score = scoreAfter(score, random() < rate, rule);
    if (stepBackCause(score, rule) !== null) return cases;
  }
  return null;
}

/** Results of seeded trials of the rule by which an arm steps back, at one limit. */
export interface StepBackTrials {
  limit: number;
  /** Trials at half the limit that stepped back although they should not. */
  falseAlarms: number;
  /** Cases until the step back at a multiple of the limit: median and 95th percentile. */
  until: Record<'1.5' | '2' | '4', { median: number; most: number }>;
  /** Cases until the step back when every case has a fault. */
  allFail: number;
}

/**
 * Runs trials of the rule with a seeded generator.
 * @param trials.runs trials at half the limit, each of `cases` cases; the others have as many
 */
export function stepBackTrials(
  limit: number,
  { runs, cases, seed }: { runs: number; cases: number; seed: number },
): StepBackTrials {
  const random = seededRandom(seed);
  const repeated = (times: number, rate: number, most: number) =>
    Array.from({ length: times }, () => casesUntilStepBack(limit, rate, most, random));
  const until = (rate: number) => {
    const sorted = repeated(UNTIL_RUNS, rate, cases)
      .map((count) => count ?? Infinity)
      .sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Infinity;
    return { median: at(0.5), most: at(0.95) };
  };
  return {
    limit,
    falseAlarms: repeated(runs, limit / 2, cases).filter((count) => count !== null).length,
    until: { '1.5': until(1.5 * limit), '2': until(2 * limit), '4': until(4 * limit) },
    allFail: casesUntilStepBack(limit, 1, cases, random) ?? Infinity,
  };
}

/** Trials from which a median is taken. */
const UNTIL_RUNS = 500;
