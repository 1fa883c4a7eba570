// The rule by which an experiment returns to its control arm: a Bernoulli CUSUM (Page, Biometrika 1954; for
// rates Reynolds & Stoumbos, Journal of Quality Technology 1999) and a count of consecutive faults. The error
// rate in a window, checked after every case, would sooner or later exceed any limit by chance. The CUSUM
// does not.

/**
 * Score at which an arm steps back. By Wald's inequality, the chance that n cases at half the limit reach it is at
 * most n x e^-15: 6 % for 200,000 cases, 100 days of 2,000.
 */
export const ALARM_SCORE = 15;
/** Probability that a streak of faults which starts at a given case is chance, at half the limit. */
const STREAK_BY_CHANCE = 5e-10;
/** Limits that the rule is defined for: at 1.5 times the largest, the rate is still a probability. */
export const ERROR_LIMITS = { least: 0.001, most: 0.5 } as const;

/** Why an arm steps back: its rate of faults, or consecutive faults. */
export type StepBackCause = 'error_rate' | 'consecutive_errors';

/** The state of the rule for one arm. */
export interface ArmScore {
  /** CUSUM statistic, from 0 upwards. */
  cusum: number;
  /** Number of faults since the last case without a fault. */
  consecutive: number;
}

export const NO_FAULTS: ArmScore = { cusum: 0, consecutive: 0 };

/** The constants of the rule for one limit. */
export interface StepBackRule {
  /** Added to the score by a fault. */
  up: number;
  /** Added to the score by a case without a fault; negative. */
  down: number;
  /** Consecutive faults at which the arm steps back. */
  streak: number;
}

/**
 * Returns the rule for a limit. It distinguishes half the limit (p0) from 1.5 times the limit (p1): a fault
 * adds ln(p1 / p0) to the score, any other case ln((1 - p1) / (1 - p0)).
 * @param limit share of cases with a fault that an arm may have, within ERROR_LIMITS
 * @throws RangeError outside of ERROR_LIMITS.
 */
export function stepBackRule(limit: number): StepBackRule {
  const { least, most } = ERROR_LIMITS;
  if (!(limit >= least && limit <= most))
    throw new RangeError(`expected an error limit from ${least} to ${most}, got ${limit}`);
  const [usual, tooMuch] = [limit / 2, 1.5 * limit];
  return {
    up: Math.log(tooMuch / usual),
    down: Math.log((1 - tooMuch) / (1 - usual)),
    streak: Math.floor(Math.log(STREAK_BY_CHANCE) / Math.log(usual)) + 1,
  };
}

/** Returns the score after one more case. The score never falls below 0. */
export function scoreAfter(score: ArmScore, isFault: boolean, { up, down }: StepBackRule): ArmScore {
  return {
    cusum: Math.max(0, score.cusum + (isFault ? up : down)),
    consecutive: isFault ? score.consecutive + 1 : 0,
  };
}

/** Returns why an arm with this score steps back. null: it does not. */
export function stepBackCause(
  { cusum, consecutive }: ArmScore,
  { streak }: StepBackRule,
): StepBackCause | null {
  if (consecutive >= streak) return 'consecutive_errors';
  return cusum >= ALARM_SCORE ? 'error_rate' : null;
}
