import { isLearnedFrom, type RunSettings, type Verdict } from '@casefile/contracts';
import { forecastCells, type Forecast } from './forecast-cells.js';
import { isotonicBlocks, shareIn } from './isotonic.js';
import { LEAST_LABELS } from './calibration.js';

/** Number of labels from which an isotonic fit may be better than a curve with two parameters. */
const LEAST_FOR_ISOTONIC = 1_000;
const FOLDS = 5;
const NEWTON_STEPS = 50;

/** A monotone function from stated to recalibrated confidence. */
export interface Recalibration {
  method: 'platt' | 'isotonic';
  labels: number;
  /** Mean squared error of the stated confidence, and of the function on labels that were left out of its fit. */
  brierStated: number;
  brierRecalibrated: number;
  /** Points of the function, joined by lines, and constant outside. */
  points: { stated: number; confidence: number }[];
}

/**
 * Returns a recalibration learned from labels, or null for fewer than 100 labels. For fewer than 1,000 it is
 * a logistic curve over the logit (Platt 1999). For more it is an isotonic fit with the middles of its blocks
 * joined by lines, if its Brier score in five-fold cross-validation is better. The function never decreases,
 * and its ends are within [1 / (n + 2), 1 - 1 / (n + 2)].
 */
export function fitRecalibration(forecasts: readonly Forecast[]): Recalibration | null {
  if (forecasts.length < LEAST_LABELS) return null;
  const byPlatt = crossValidated(forecasts, platt);
  const byBlocks = forecasts.length >= LEAST_FOR_ISOTONIC ? crossValidated(forecasts, isotonic) : Infinity;
  const isIsotonic = byBlocks < byPlatt;
  const stated = forecasts.reduce((total, one) => total + (one.stated - one.observed) ** 2, 0);
  return {
    method: isIsotonic ? 'isotonic' : 'platt',
    labels: forecasts.length,
    brierStated: stated / forecasts.length,
    brierRecalibrated: isIsotonic ? byBlocks : byPlatt,
    points: withoutMiddles((isIsotonic ? isotonic : platt)(forecasts)),
  };
}

/** Largest difference from the line between two points at which the points between them are left out. */
const STRAIGHT_WITHIN = 0.0005;

// Each run is frozen with the points, so those on a straight line are left out.
function withoutMiddles(points: Recalibration['points']): Recalibration['points'] {
  const kept: Recalibration['points'] = [];
  let start = 0;
  for (const [i, point] of points.entries()) {
    const ends = [points[start], points[i + 1]].filter((end) => end !== undefined);
    const isOnLine =
      ends.length === 2 &&
      i > start &&
      points
        .slice(start + 1, i + 1)
        .every(
          (one) => Math.abs(recalibrate({ points: ends }, one.stated) - one.confidence) < STRAIGHT_WITHIN,
        );
    if (isOnLine) continue;
    kept.push({ stated: point.stated, confidence: Number(point.confidence.toFixed(6)) });
    start = i;
  }
  return kept;
}

/** Returns the recalibrated confidence. */
export function recalibrate({ points }: Pick<Recalibration, 'points'>, stated: number): number {
  const after = points.findIndex((point) => point.stated >= stated);
  const [low, high] = [points[after - 1], points[after]];
  if (high === undefined) return points.at(-1)?.confidence ?? stated;
  if (low === undefined) return high.confidence;
  const along = (stated - low.stated) / (high.stated - low.stated);
  return low.confidence + along * (high.confidence - low.confidence);
}

type Fit = (forecasts: readonly Forecast[]) => Recalibration['points'];

/** Mean squared error on forecasts that the fit has not seen: each fifth is left out in turn. */
function crossValidated(forecasts: readonly Forecast[], fit: Fit): number {
  let total = 0;
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const points = fit(forecasts.filter((_, i) => i % FOLDS !== fold));
    forecasts.forEach(({ stated, observed }, i) => {
      if (i % FOLDS === fold) total += (recalibrate({ points }, stated) - observed) ** 2;
    });
  }
  return total / forecasts.length;
}

function isotonic(forecasts: readonly Forecast[]): Recalibration['points'] {
  const least = 1 / (forecasts.length + 2);
  return isotonicBlocks(forecastCells(forecasts)).map((block) => ({
    stated: (block.from + block.to) / 2,
    confidence: Math.min(1 - least, Math.max(least, shareIn(block))),
  }));
}

function platt(forecasts: readonly Forecast[]): Recalibration['points'] {
  const n = forecasts.length;
  const least = 1 / (n + 2);
  const logit = (value: number) => {
    const inside = Math.min(1 - least, Math.max(least, value));
    return Math.log(inside / (1 - inside));
  };
  const cells = forecastCells(forecasts).map((cell) => ({ ...cell, x: logit(cell.stated) }));
  let [slope, offset] = [1, 0];
  for (let step = 0; step < NEWTON_STEPS; step += 1) {
    let [gx, g1, hxx, hx1, h11] = [0, 0, 1e-9, 0, 1e-9];
    for (const { x, labels, observed } of cells) {
      const p = 1 / (1 + Math.exp(-(slope * x + offset)));
      const [error, weight] = [labels * p - observed, labels * p * (1 - p)];
      gx += error * x;
      g1 += error;
      hxx += weight * x * x;
      hx1 += weight * x;
      h11 += weight;
    }
    const determinant = hxx * h11 - hx1 ** 2;
    if (!(determinant > 1e-12)) break;
    const move = [(h11 * gx - hx1 * g1) / determinant, (hxx * g1 - hx1 * gx) / determinant] as const;
    slope -= move[0];
    offset -= move[1];
    if (Math.abs(move[0]) + Math.abs(move[1]) < 1e-9) break;
  }
  // A falling curve would reverse the order of confidences. The best one that does not fall is constant.
  const base = cells.reduce((total, { observed }) => total + observed, 0) / n;
  const value = (stated: number) =>
    slope < 0 ? base : 1 / (1 + Math.exp(-(slope * logit(stated) + offset)));
  return Array.from({ length: 101 }, (_, i) => i / 100).map((stated) => ({
    stated,
    confidence: Math.min(1 - least, Math.max(least, value(stated))),
  }));
}

/**
 * Returns the verdict with the confidence of the recalibration that the run is frozen with, and the stated one
 * next to it. A verdict whose confidence comes from another source than the recalibration was learned from is
 * returned unchanged.
 * @param language of the message. null: the brief names none.
 */
export function recalibrateVerdict(
  verdict: Verdict,
  settings: Pick<RunSettings, 'recalibrations' | 'strategy' | 'model' | 'promptIds'>,
  language: string | null,
): Verdict {
  const recalibration = settings.recalibrations?.findLast(
    (one) =>
      one.of.confidenceSource === verdict.confidenceSource &&
      one.of.language === language &&
      one.of.prompts === [...(verdict.promptIds ?? [])].sort().join() &&
      isLearnedFrom(one, settings),
  );
  // A fallback model states confidences of its own.
  if (recalibration === undefined || verdict.degradedBy.includes('other_model')) return verdict;
  const { version, points } = recalibration;
  return {
    ...verdict,
    confidence: recalibrate({ points }, verdict.confidence),
    confidenceSource: 'calibrated',
    statedConfidence: {
      confidence: verdict.confidence,
      source: verdict.confidenceSource,
      recalibration: version,
    },
  };
}

/** Returns the verdict, which needs review if its confidence is below the limit of the run. */
export function withActingLimit(verdict: Verdict, { actFrom }: Pick<RunSettings, 'actFrom'>): Verdict {
  if (actFrom === undefined || verdict.disposition === 'review' || verdict.confidence >= actFrom)
    return verdict;
  const stated = verdict.confidence.toFixed(2);
  const reason = `It needs review: the confidence ${stated} is below the limit of ${actFrom.toFixed(2)}.`;
  return { ...verdict, disposition: 'review', reasons: [...verdict.reasons, reason] };
}
