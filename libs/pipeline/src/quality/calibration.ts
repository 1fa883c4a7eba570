import { quantile, wilson, type Interval } from '../rollout/statistics.js';
import { forecastCells, equalCountBins, type Cell, type Forecast, type Group } from './forecast-cells.js';
import { isotonicBlocks, shareIn } from './isotonic.js';

/** Number of labels below which no calibration error is stated. */
export const LEAST_LABELS = 100;
const RESAMPLES = 1_000;
const NOISE_DRAWS = 200;

/** A bar of the reliability diagram. */
export interface ReliabilityBin {
  /** Lowest and highest stated probability. */
  from: number;
  to: number;
  labels: number;
  /** Mean stated probability, and share of true ones with its 95 % Wilson interval. */
  stated: number;
  observed: number;
  interval: Interval;
  /** Range that contains 95 % of the observed shares if the stated probabilities are right. */
  consistent: Interval;
}

/**
 * Agreement of stated probabilities with observed results. Forecasts of different sources are never mixed.
 */
export interface Calibration {
  labels: number;
  /** Expected calibration error with its 95 % interval. null: fewer than 100 labels. */
  error: (Interval & { value: number }) | null;
  /** Mean squared error, and its parts: `score = miscalibration - discrimination + uncertainty`. null: no labels. */
  brier: { score: number; miscalibration: number; discrimination: number; uncertainty: number } | null;
  bins: ReliabilityBin[];
}

/**
 * Returns how well stated probabilities agree with observed results.
 *
 * Expected calibration error over bins of about equal counts: the sum of n_b / n * |mean stated - share observed|,
 * minus the part that chance alone adds (Kumar, Liang and Ma, NeurIPS 2019: twice the plug-in minus its mean over
 * shares with noise of their own variance). Its interval is the centred bootstrap; the lower end is 0 where the
 * plug-in lies within what right probabilities would give in 95 % (Broecker and Smith, Weather and Forecasting 22,
 * 2007). Parts of the Brier score by an isotonic fit (Dimitriadis, Gneiting and Jordan, PNAS 118, 2021).
 * @param random Numbers in [0, 1) for resampling; a seeded source gives equal results for equal forecasts.
 */
export function computeCalibration(forecasts: readonly Forecast[], random: () => number): Calibration {
  const cells = forecastCells(forecasts);
  const labels = forecasts.length;
  const bins = equalCountBins(cells);
  const consistent = Array.from({ length: RESAMPLES }, () => equalCountBins(drawnFromStated(cells, random)));
  return {
    labels,
    error: labels < LEAST_LABELS ? null : errorOf(cells, bins, consistent.map(plugIn), random),
    brier: labels === 0 ? null : brierOf(cells),
    bins: bins.map((bin, i) => ({
      from: bin.from,
      to: bin.to,
      labels: bin.labels,
      stated: bin.stated / bin.labels,
      observed: shareIn(bin),
      interval: wilson({ x: bin.observed, n: bin.labels }),
      consistent: middle(consistent.map((drawn) => shareIn(drawn[i] ?? bin))),
    })),
  };
}

function errorOf(
  cells: readonly Cell[],
  bins: readonly Group[],
  consistent: readonly number[],
  random: () => number,
): Interval & { value: number } {
  const estimate = plugIn(bins);
  const value = clip(2 * estimate - meanOf(NOISE_DRAWS, () => plugIn(withNoise(bins, random))));
  const draw = resampler(cells, random);
  const resampled = Array.from({ length: RESAMPLES }, () => plugIn(equalCountBins(draw())));
  const mean = meanOf(RESAMPLES, (i) => resampled[i] ?? 0);
  const { low, high } = middle(resampled);
  const isConsistent = estimate <= quantile(consistent.toSorted(ascending), 0.95);
  return { value, low: isConsistent ? 0 : clip(value + low - mean), high: clip(value + high - mean) };
}

/** Returns the calibration error without correction. Chance makes it too high. */
function plugIn(bins: readonly Group[]): number {
  const all = bins.reduce((total, { labels }) => total + labels, 0);
  return bins.reduce((total, { stated, observed }) => total + Math.abs(stated - observed), 0) / all;
}

function withNoise(bins: readonly Group[], random: () => number): Group[] {
  return bins.map((bin) => {
    const share = shareIn(bin);
    const noise = normal(random) * Math.sqrt(share * (1 - share) * bin.labels);
    return { ...bin, observed: bin.observed + noise };
  });
}

/** Draws the results that would be observed if every stated probability were right. */
function drawnFromStated(cells: readonly Cell[], random: () => number): Cell[] {
  return cells.map(({ stated, labels }) => {
    let observed = 0;
    for (let i = 0; i < labels; i += 1) if (random() < stated) observed += 1;
    return { stated, labels, observed };
  });
}

/** Returns a function that draws the same number of forecasts, with replacement. */
function resampler(cells: readonly Cell[], random: () => number): () => Cell[] {
  const places = cells.flatMap(({ labels, observed }, cell) =>
    Array.from({ length: labels }, (_, i) => ({ cell, observed: i < observed ? 1 : 0 })),
  );
  return () => {
    const drawn = cells.map(({ stated }) => ({ stated, labels: 0, observed: 0 }));
    for (let i = 0; i < places.length; i += 1) {
      const place = places[Math.floor(random() * places.length)];
      const target = place && drawn[place.cell];
      if (target === undefined) continue;
      target.labels += 1;
      target.observed += place?.observed ?? 0;
    }
    return drawn.filter(({ labels }) => labels > 0);
  };
}

function brierOf(cells: readonly Cell[]): NonNullable<Calibration['brier']> {
  const labels = cells.reduce((total, cell) => total + cell.labels, 0);
  const base = cells.reduce((total, cell) => total + cell.observed, 0) / labels;
  const fitted = isotonicBlocks(cells).map(({ labels: n, observed }) => ({
    n,
    observed,
    said: observed / n,
  }));
  const score = squaredError(
    cells.map(({ stated, labels: n, observed }) => ({ said: stated, n, observed })),
    labels,
  );
  const uncertainty = base * (1 - base);
  const best = squaredError(fitted, labels);
  return { score, miscalibration: score - best, discrimination: uncertainty - best, uncertainty };
}

/** Returns the mean of (said - y)^2. */
function squaredError(
  groups: readonly { said: number; n: number; observed: number }[],
  labels: number,
): number {
  const sums = groups.map(({ said, n, observed }) => observed * (1 - said) ** 2 + (n - observed) * said ** 2);
  return sums.reduce((total, one) => total + one, 0) / labels;
}

function middle(values: readonly number[]): Interval {
  const sorted = values.toSorted(ascending);
  return { low: quantile(sorted, 0.025), high: quantile(sorted, 0.975) };
}

function meanOf(times: number, value: (i: number) => number): number {
  let total = 0;
  for (let i = 0; i < times; i += 1) total += value(i);
  return total / times;
}

/** Returns a draw of the standard normal distribution. Source: Box and Muller, 1958. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function clip(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function ascending(a: number, b: number): number {
  return a - b;
}
