import type { PairedCounts, Proportion } from './statistics.js';

// The promotion rule of an experiment: an asymptotic confidence sequence, which is valid however often it is
// read. Source: Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas, arXiv 2103.06476v7, equations 134 and 161.

/** Error of the one-sided sequence. */
const ALPHA = 0.025;
/** Error of the two-sided sequence. */
const DIFFERS_ALPHA = 0.05;

/** Least counts before a rule may recommend an arm or call it worse. */
export const LEAST = { pairs: 50, discordant: 10, smallerArm: 200 } as const;

/** Data for the comparison of two arms: the difference of their rates and its variance, after `n` cases. */
interface Estimate {
  n: number;
  /** Rate of the new arm minus rate of the old. */
  difference: number;
  /** Variance of one case. */
  variance: number;
}

/** Half widths of the confidence sequences at the present count. */
export interface SequenceResult extends Estimate {
  /** One-sided bounds: the difference is above `low`; in the mirrored test it is below `high`. */
  low: number;
  high: number;
  /** Whether the arms differ, by the two-sided sequence. */
  differs: boolean;
}

/**
 * Returns the sequence over pairs: the same cases judged by the new arm (a) and the old arm (b).
 * @param expectedCases The count at which a decision is expected, fixed before the start.
 */
export function pairedSequence(
  { both, onlyA, onlyB, neither }: PairedCounts,
  expectedCases: number,
): SequenceResult {
  const n = both + onlyA + onlyB + neither;
  const difference = n === 0 ? 0 : (onlyA - onlyB) / n;
  // Pairs without a difference have no variance. Without a minimum, they would pass immediately.
  const variance = n === 0 ? 1 : Math.max((onlyA + onlyB) / n - difference ** 2, 1 / (n + 2));
  return sequence({ n, difference, variance }, expectedCases);
}

/** Returns the sequence over two separate groups of cases. `expectedCases` counts both groups. */
export function unpairedSequence(fresh: Proportion, old: Proportion, expectedCases: number): SequenceResult {
  const n = fresh.n + old.n;
  if (fresh.n === 0 || old.n === 0) return sequence({ n, difference: 0, variance: 1 }, expectedCases);
  const difference = fresh.x / fresh.n - old.x / old.n;
  return sequence({ n, difference, variance: n * (spread(fresh) + spread(old)) }, expectedCases);
}

// Returns the variance of the rate, with the rate moved towards 1/2.
function spread({ x, n }: Proportion): number {
  const p = (x + 1) / (n + 2);
  return (p * (1 - p)) / n;
}

function sequence(estimate: Estimate, expectedCases: number): SequenceResult {
  const { n, difference, variance } = estimate;
  if (n === 0) return { ...estimate, low: -1, high: 1, differs: false };
  const oneSided = ALPHA;
  const tuning = (-2 * Math.log(2 * oneSided) + Math.log(-2 * Math.log(2 * oneSided) + 1)) / expectedCases;
  const scaled = n * tuning + 1;
  const factor = (variance * 2 * scaled) / (n ** 2 * tuning);
  const half = Math.sqrt(factor * Math.log(1 + Math.sqrt(scaled) / (2 * oneSided)));
  const twoSided = Math.sqrt(factor * Math.log(Math.sqrt(scaled) / DIFFERS_ALPHA));
  return {
    ...estimate,
    low: difference - half,
    high: difference + half,
    differs: Math.abs(difference) > twoSided,
  };
}

/** State of a comparison by the promotion rule. */
export type Finding = 'not_enough' | 'at_least_as_good' | 'worse' | 'inconclusive' | 'not_comparable';

/** Labelled results that the promotion rule reads. */
export type LabelledCounts =
  | { mode: 'shadow'; pairs: PairedCounts; /** Reviewed pairs with different verdicts. */ discordant: number }
  | { mode: 'ab'; fresh: Proportion; old: Proportion };

/** Result of the promotion rule. */
export interface Promotion {
  finding: Finding;
  /** Reviewed cases that are still needed: to reach the least counts, or to settle the comparison. */
  moreCases: number;
  sequence: SequenceResult;
}

/** Parts of an experiment that are frozen at its start. `margin` is a difference of rates: 0.03 is 3 points. */
export interface PromotionRule {
  margin: number;
  expectedCases: number;
}

/** Multiple of the expected count at which a comparison without a result ends as inconclusive. */
const LAST_LOOK = 2;

/**
 * Applies the promotion rule "at least as good": the lower bound of the difference is above `-margin`. The
 * result holds however often the rule is applied.
 */
export function applyPromotionRule(
  counts: LabelledCounts,
  rule: PromotionRule,
): Omit<Promotion, 'moreCases'> {
  const { margin, expectedCases } = rule;
  const sequence =
    counts.mode === 'shadow'
      ? pairedSequence(counts.pairs, expectedCases)
      : unpairedSequence(counts.fresh, counts.old, expectedCases);
  const { low, high, n } = sequence;
  if (lacking(counts, n) > 0) return { finding: 'not_enough', sequence };
  if (low > -margin) return { finding: 'at_least_as_good', sequence };
  if (high < -margin) return { finding: 'worse', sequence };
  return { finding: n >= LAST_LOOK * expectedCases ? 'inconclusive' : 'not_enough', sequence };
}

/** Applies the promotion rule, and estimates how many more reviewed cases a result needs. */
export function promotion(counts: LabelledCounts, rule: PromotionRule): Promotion {
  const { finding, sequence } = applyPromotionRule(counts, rule);
  if (finding !== 'not_enough') return { finding, moreCases: 0, sequence };
  return { finding, moreCases: lacking(counts, sequence.n) || untilDecided(sequence, rule), sequence };
}

function lacking(counts: LabelledCounts, n: number): number {
  if (counts.mode === 'ab') {
    const smaller = Math.min(counts.fresh.n, counts.old.n);
    return Math.max(0, LEAST.smallerArm - smaller);
  }
  return Math.max(0, LEAST.pairs - n, LEAST.discordant - counts.discordant);
}

// Returns the first count at which the present difference and variance would decide, at most the last
// possible one.
function untilDecided(
  { n, difference, variance }: SequenceResult,
  { margin, expectedCases }: PromotionRule,
): number {
  const decides = (count: number): boolean => {
    const { low, high } = sequence({ n: count, difference, variance }, expectedCases);
    return low > -margin || high < -margin;
  };
  const last = LAST_LOOK * expectedCases;
  if (!decides(last)) return last - n;
  let [below, above] = [n, last];
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (decides(middle)) above = middle;
    else below = middle;
  }
  return above - n;
}
