import { seededRandom } from '@casefile/contracts';

// Statistics of experiments. Pure functions over counts; the tables of statistics.spec.ts have the published
// values. Shares, rates and differences are numbers from 0 to 1.

/** The 97.5 % quantile of the standard normal distribution: the width of a 95 % interval. */
export const Z_95 = 1.959963984540054;

/** A two-sided interval. */
export interface Interval {
  low: number;
  high: number;
}

/** `x` successes among `n` trials. */
export interface Proportion {
  x: number;
  n: number;
}

/**
 * Returns the Wilson score interval of a rate. No trials: 0 to 1. Source: Wilson, JASA 22 (1927), 209-212.
 */
export function wilson({ x, n }: Proportion, z = Z_95): Interval {
  if (n === 0) return { low: 0, high: 1 };
  const p = x / n;
  const centre = p + z ** 2 / (2 * n);
  const spread = z * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2));
  const scale = 1 + z ** 2 / n;
  return {
    low: x === 0 ? 0 : (centre - spread) / scale,
    high: x === n ? 1 : (centre + spread) / scale,
  };
}

/**
 * Returns the 95 % interval of the difference `a - b` of two independent rates, by Newcombe's method 10.
 * Source: Newcombe, Statistics in Medicine 17 (1998), 873-890.
 */
export function newcombe(a: Proportion, b: Proportion): Interval {
  return squareAndAdd(a, b, 0);
}

/** Counts of pairs by whether each of two arms is right. */
export interface PairedCounts {
  both: number;
  onlyA: number;
  onlyB: number;
  neither: number;
}

/**
 * Returns the 95 % interval of the difference `a - b` of two rates over the same cases, by Newcombe's method 10
 * for paired data. Source: Newcombe, Statistics in Medicine 17 (1998), 2635-2650.
 */
export function newcombePaired({ both, onlyA, onlyB, neither }: PairedCounts): Interval {
  const n = both + onlyA + onlyB + neither;
  const product = (both + onlyA) * (onlyB + neither) * (both + onlyB) * (onlyA + neither);
  const association = both * neither - onlyA * onlyB;
  const corrected = association > 0 ? Math.max(association - n / 2, 0) : association;
  const phi = product === 0 ? 0 : corrected / Math.sqrt(product);
  return squareAndAdd({ x: both + onlyA, n }, { x: both + onlyB, n }, phi);
}

function squareAndAdd(a: Proportion, b: Proportion, phi: number): Interval {
  if (a.n === 0 || b.n === 0) return { low: -1, high: 1 };
  const [pa, pb] = [a.x / a.n, b.x / b.n];
  const [wa, wb] = [wilson(a), wilson(b)];
  const width = (one: number, two: number) =>
    Math.sqrt(Math.max(0, one ** 2 - 2 * phi * one * two + two ** 2));
  return {
    low: pa - pb - width(pa - wa.low, wb.high - pb),
    high: pa - pb + width(wa.high - pa, pb - wb.low),
  };
}

/** Returns the 95 % interval of a mean, from the count, the mean and the standard deviation of a sample. */
export function meanInterval(n: number, mean: number, deviation: number): Interval | null {
  if (n < 2) return null;
  const half = (Z_95 * deviation) / Math.sqrt(n);
  return { low: mean - half, high: mean + half };
}

/** A confusion matrix: `counts[i][j]` pairs have label `i` in arm a and label `j` in arm b. */
export interface ConfusionMatrix {
  labels: string[];
  counts: number[][];
}

/** Returns the confusion matrix of counted pairs of labels. Its labels are sorted by name. */
export function confusionMatrix(pairs: readonly { a: string; b: string; n: number }[]): ConfusionMatrix {
  const labels = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))].sort();
  const counts = labels.map(() => labels.map(() => 0));
  for (const { a, b, n } of pairs) {
    const row = counts[labels.indexOf(a)];
    if (row !== undefined) row[labels.indexOf(b)] = (row[labels.indexOf(b)] ?? 0) + n;
  }
  return { labels, counts };
}

/** Agreement of two arms beyond chance. */
export interface Kappa {
  n: number;
  /** Share of pairs with equal labels. */
  agreement: number;
  /** Share that would be equal by chance. Close to 1 for rare classes: kappa is then small or undefined. */
  expected: number;
  /** null: undefined, because chance alone gives full agreement. */
  kappa: number | null;
  standardError: number | null;
  interval: Interval | null;
}

/** Below this count of pairs the interval of kappa is a bootstrap. */
const BOOTSTRAP_BELOW = 200;
const RESAMPLES = 2_000;

/**
 * Returns Cohen's kappa with its standard error `sqrt(po (1 - po) / (n (1 - pe)^2))` and a 95 % interval: normal
 * from 200 pairs on, else the percentile bootstrap of 2,000 resamples. Source: Cohen, Educational and
 * Psychological Measurement 20 (1960), 37-46.
 */
export function cohensKappa({ counts }: ConfusionMatrix, random = seededRandom(1)): Kappa {
  const { n, agreement, expected, kappa } = kappaOfCells(counts);
  if (kappa === null || n === 0)
    return { n, agreement, expected, kappa: null, standardError: null, interval: null };
  const standardError = Math.sqrt((agreement * (1 - agreement)) / (n * (1 - expected) ** 2));
  const interval =
    n < BOOTSTRAP_BELOW
      ? bootstrapKappa(counts, n, random)
      : {
          low: Math.max(-1, kappa - Z_95 * standardError),
          high: Math.min(1, kappa + Z_95 * standardError),
        };
  return { n, agreement, expected, kappa, standardError, interval };
}

function kappaOfCells(counts: readonly (readonly number[])[]) {
  const rows = counts.map(sum);
  const columns = counts.map((_, j) => sum(counts.map((row) => row[j] ?? 0)));
  const n = sum(rows);
  const agreement = n === 0 ? 0 : sum(counts.map((row, i) => row[i] ?? 0)) / n;
  const expected = n === 0 ? 0 : sum(rows.map((row, i) => row * (columns[i] ?? 0))) / n ** 2;
  return {
    n,
    agreement,
    expected,
    kappa: 1 - expected < 1e-12 ? null : (agreement - expected) / (1 - expected),
  };
}

function bootstrapKappa(counts: number[][], n: number, random: () => number): Interval {
  const pairs = counts.flatMap((row, i) =>
    row.flatMap((count, j) => Array<[number, number]>(count).fill([i, j])),
  );
  const kappas: number[] = [];
  for (let resample = 0; resample < RESAMPLES; resample += 1) {
    const drawn = counts.map((row) => row.map(() => 0));
    for (let pair = 0; pair < n; pair += 1) {
      const [i, j] = pairs[Math.floor(random() * n)] ?? [0, 0];
      const row = drawn[i];
      if (row !== undefined) row[j] = (row[j] ?? 0) + 1;
    }
    // In a resample with one class only, the arms agree fully.
    kappas.push(kappaOfCells(drawn).kappa ?? 1);
  }
  kappas.sort((one, two) => one - two);
  return { low: quantile(kappas, 0.025), high: quantile(kappas, 0.975) };
}

/** Returns the quantile of sorted values, linear between neighbours (type 7 of Hyndman and Fan 1996). */
export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(at)] ?? NaN, sorted[Math.ceil(at)] ?? NaN];
  return low + (high - low) * (at - Math.floor(at));
}

/** p-value below which the counts of the arms do not match their shares. Source: Statsig, GrowthBook. */
export const SAMPLE_RATIO_P = 0.0005;
const FIRST_RATIO_CHECK = 100;

/**
 * Returns the number of cases at which the sample ratio was last due to be checked: 100, and each time the
 * count doubled since. null: not yet.
 */
export function ratioCheckedAt(cases: number): number | null {
  if (cases < FIRST_RATIO_CHECK) return null;
  return FIRST_RATIO_CHECK * 2 ** Math.floor(Math.log2(cases / FIRST_RATIO_CHECK));
}

/** Returns the p-value of Pearson's chi-square test of counts against expected shares. */
export function sampleRatioP(counts: readonly number[], shares: readonly number[]): number {
  const n = sum(counts);
  const statistic = sum(
    counts.map((count, i) => {
      const expected = n * (shares[i] ?? 0);
      if (expected === 0) return count === 0 ? 0 : Infinity;
      return (count - expected) ** 2 / expected;
    }),
  );
  return chiSquareTail(statistic, counts.length - 1);
}

/**
 * Returns the probability that a chi-square variable with `df` degrees of freedom is at least `x`: the upper
 * incomplete gamma function, by its series or its continued fraction. Source: Abramowitz and Stegun 6.5.29, 6.5.31.
 */
export function chiSquareTail(x: number, df: number): number {
  if (x <= 0) return 1;
  if (x === Infinity) return 0;
  const [a, half] = [df / 2, x / 2];
  const front = Math.exp(-half + a * Math.log(half) - logGamma(a));
  if (half < a + 1) {
    let term = 1 / a;
    let total = term;
    for (let k = 1; k < 500 && term > total * 1e-15; k += 1) total += term *= half / (a + k);
    return 1 - total * front;
  }
  let b = half + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let fraction = d;
  for (let k = 1; k < 500; k += 1) {
    const step = -k * (k - a);
    b += 2;
    d = 1 / (step * d + b);
    c = b + step / c;
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return fraction * front;
}

// log Gamma of multiples of 1/2, because no other arguments occur here.
function logGamma(a: number): number {
  let [log, at] = Number.isInteger(a) ? [0, 1] : [Math.log(Math.PI) / 2, 0.5];
  for (; at < a; at += 1) log += Math.log(at);
  return log;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
