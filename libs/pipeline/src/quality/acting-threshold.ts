import { forecastCells, type Forecast } from './forecast-cells.js';

/**
 * The confidence from which verdicts may be acted on, so that the share of wrong ones stays below a limit.
 */
export interface ActingThreshold {
  /** Lowest stated confidence that may be acted on. */
  from: number;
  /** Number of labelled verdicts with at least this confidence, and how many of them were wrong. */
  actedOn: number;
  wrong: number;
  /** Share of all labelled verdicts below it, which need review. */
  left: number;
  /** Share of the right verdicts that are acted on. */
  recall: number;
}

/**
 * Returns the lowest threshold for which the share of wrong verdicts among those acted on is at most `alpha`
 * with probability `1 - delta`; null: the labels show none. Thresholds are tested from the highest down by
 * the exact binomial test, until one fails. The first is the highest with enough verdicts to pass without
 * errors, which does not depend on labels. Source: Learn-then-Test with fixed sequence, Angelopoulos et al.,
 * 2021 (arXiv 2110.01052). The result holds only for cases like the labelled ones.
 * @param observed whether the verdict of a forecast was right
 */
export function actingThreshold(
  forecasts: readonly Forecast[],
  { alpha, delta }: { alpha: number; delta: number },
): ActingThreshold | null {
  const cells = forecastCells(forecasts).reverse();
  const allRight = forecasts.reduce((total, { observed }) => total + observed, 0);
  let threshold: ActingThreshold | null = null;
  let [actedOn, wrong] = [0, 0];
  for (const { stated, labels, observed } of cells) {
    actedOn += labels;
    wrong += labels - observed;
    if ((1 - alpha) ** actedOn > delta) continue;
    if (binomialAtMost(wrong, actedOn, alpha) > delta) break;
    const left = 1 - actedOn / forecasts.length;
    threshold = {
      from: stated,
      actedOn,
      wrong,
      left,
      recall: allRight === 0 ? 0 : (actedOn - wrong) / allRight,
    };
  }
  return threshold;
}

/** Returns the probability of at most `x` successes in `n` trials of probability `p`, with 0 < p < 1. */
export function binomialAtMost(x: number, n: number, p: number): number {
  // Sums from the logarithm of the first term, because the term itself underflows for many trials.
  let log = n * Math.log1p(-p);
  let total = Math.exp(log);
  for (let k = 1; k <= x; k += 1) {
    log += Math.log((n - k + 1) / k) + Math.log(p) - Math.log1p(-p);
    total += Math.exp(log);
  }
  return Math.min(1, total);
}
