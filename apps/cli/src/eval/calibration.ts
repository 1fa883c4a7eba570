import { FEW_LABELS, mean, share } from './figures.js';

/** With fewer labels than this, the calibration figures say little. */
const FEW_IN_ALL = 100;
const BINS = 10;

/** A stated probability, and whether the event occurred. */
export interface Forecast {
  /** 0 to 1. */
  stated: number;
  observed: 0 | 1;
}

/** Agreement between stated probabilities and observed outcomes. */
export interface Reliability {
  judged: number;
  tooFewLabels: boolean;
  /** null: there is no forecast. The same holds for `brier`. */
  ece: number | null;
  brier: number | null;
  bins: {
    from: number;
    to: number;
    labels: number;
    tooFewLabels: boolean;
    stated: number | null;
    observed: number | null;
  }[];
}

/**
 * Returns the Brier score, the mean of (f - y)^2 over stated probabilities f and outcomes y (Brier 1950, Monthly Weather Review 78),
 * and the expected calibration error, the sum of n_b / n * |mean f - mean y| over ten bins of equal width (Naeini, Cooper and
 * Hauskrecht 2015, AAAI; Guo et al. 2017, ICML). The latter is biased upwards for few labels: below 100 it is marked.
 */
export function reliability(forecasts: readonly Forecast[]): Reliability {
  const bins = Array.from({ length: BINS }, (_, i) => {
    const own = forecasts.filter(({ stated }) => Math.min(BINS - 1, Math.floor(stated * BINS)) === i);
    return {
      from: i / BINS,
      to: (i + 1) / BINS,
      labels: own.length,
      tooFewLabels: own.length < FEW_LABELS,
      stated: mean(own.map(({ stated }) => stated)),
      observed: mean(own.map(({ observed }) => observed)),
    };
  });
  const gaps = bins.map(({ labels, stated, observed }) => labels * Math.abs((stated ?? 0) - (observed ?? 0)));
  return {
    judged: forecasts.length,
    tooFewLabels: forecasts.length < FEW_IN_ALL,
    bins,
    ece: share(
      gaps.reduce((total, gap) => total + gap, 0),
      forecasts.length,
    ),
    brier: mean(forecasts.map(({ stated, observed }) => (stated - observed) ** 2)),
  };
}
