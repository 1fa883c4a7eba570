import { seededRandom } from '@casefile/contracts';
import { computeCalibration, recalibrate, fitRecalibration, type Forecast } from '@casefile/pipeline';

/** Stated confidences as models give them: a few round numbers, and some between. */
const ROUND = [0.55, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];
const SHARE_ROUND = 0.8;
/** Bins with fewer labels are not counted: their intervals are shown as hollow. */
const LEAST_COUNTED = 30;

/** The true share of correct answers at a stated confidence. */
type Curve = (stated: number) => number;
const right: Curve = (stated) => stated;
const tooSure: Curve = (stated) => stated - 0.12;
/** Curves of overconfident models. */
const CURVES: Curve[] = [
  (stated) => 0.2 + 0.6 * stated ** 3,
  (stated) => 1 / (1 + Math.exp(-6 * (stated - 0.8))),
  (stated) => Math.min(0.95, 0.3 + 0.5 * stated),
];

function drawn(n: number, curve: Curve, random: () => number): Forecast[] {
  return Array.from({ length: n }, () => {
    const isRound = random() < SHARE_ROUND;
    const stated = isRound ? (ROUND[Math.floor(random() * ROUND.length)] ?? 0.9) : 0.5 + 0.49 * random();
    return { stated, observed: random() < curve(stated) ? 1 : 0 };
  });
}

/** Required limits of each figure (S4-60). */
export const LIMITS = {
  binsCovered: {
    text: 'Wilson intervals that cover the true share, of 1,000 labels: 0.93 to 0.97',
    holds: (value: number) => value >= 0.93 && value <= 0.97,
  },
  errorCovered: {
    text: 'intervals that cover a true error of 0.12, 1,000 labels: at least 0.90',
    holds: (value: number) => value >= 0.9,
  },
  lowerEndZero: {
    text: 'lower end 0 for a calibrated source, 1,000 labels: at least 0.90',
    holds: (value: number) => value >= 0.9,
  },
  distance: {
    text: 'mean distance of the recalibration to the true curve, 2,000 labels: 0.035',
    holds: (value: number) => value <= 0.035,
  },
};

/** Returns the figures of this many seeded sets. */
export function calibrationTrials(sets: number, seed = 1): Record<keyof typeof LIMITS, number> {
  const random = seededRandom(seed);
  const covered: number[] = [];
  const errors: number[] = [];
  const zeros: number[] = [];
  const distances: number[] = [];
  for (let set = 0; set < sets; set += 1) {
    const { error, bins } = computeCalibration(drawn(1_000, tooSure, random), random);
    errors.push(error !== null && error.low <= 0.12 && 0.12 <= error.high ? 1 : 0);
    for (const { labels, stated, interval } of bins)
      if (labels >= LEAST_COUNTED) covered.push(within(tooSure(stated), interval));
    zeros.push(computeCalibration(drawn(1_000, right, random), random).error?.low === 0 ? 1 : 0);
    for (const curve of CURVES) distances.push(distanceTo(curve, drawn(2_000, curve, random)));
  }
  return {
    binsCovered: mean(covered),
    errorCovered: mean(errors),
    lowerEndZero: mean(zeros),
    distance: mean(distances),
  };
}

/** Returns the mean absolute difference between the recalibrated and the true confidence. */
function distanceTo(curve: Curve, forecasts: readonly Forecast[]): number {
  const recalibration = fitRecalibration(forecasts);
  if (recalibration === null) return 1;
  return mean(forecasts.map(({ stated }) => Math.abs(recalibrate(recalibration, stated) - curve(stated))));
}

function within(value: number, { low, high }: { low: number; high: number }): number {
  return low <= value && value <= high ? 1 : 0;
}

function mean(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length;
}
