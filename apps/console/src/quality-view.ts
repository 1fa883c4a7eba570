import {
  seededRandom,
  type ForecastCount,
  type Quality,
  type QualityPeriod,
  type QualityQuery,
  type QualityShare,
  type ShownCalibration,
  type VerdictCounts,
  type QualityFigures,
} from '@casefile/contracts';
import {
  actingThreshold,
  calibrationOf,
  LEAST_LABELS,
  stratifiedShare,
  wilson,
  type Forecast,
} from '@casefile/pipeline';

/** Most tools whose missing answers are listed. */
const MOST_MISSING = 20;
const HOUR_MS = 3_600_000;
/** Longest range, in milliseconds, that is shown by hours. */
const BY_HOUR_MS = 72 * HOUR_MS;
/** Fixed seed of resampling, so that equal labels give equal intervals. */
const SEED = 1;
/** Largest share of wrong verdicts among those acted on, and the probability that the share is higher. */
const ACTED_ON = { alpha: 0.05, delta: 0.05 };

/**
 * Returns the share of right verdicts in a period and their cost: per kind or group, over time, with the
 * calibration of each source of confidence.
 */
export async function qualityOf(
  figures: Pick<QualityFigures, 'counts' | 'series' | 'forecasts' | 'missing'>,
  query: QualityQuery,
): Promise<Quality> {
  const { from, to, by: _, ...kind } = query;
  const step = Date.parse(to) - Date.parse(from) <= BY_HOUR_MS ? 'hour' : 'day';
  const range = { from, to, ...kind };
  const [counts, periods, forecasts, missing] = await Promise.all([
    figures.counts(query),
    figures.series(range, step),
    figures.forecasts(range),
    figures.missing(range, MOST_MISSING),
  ]);
  return {
    quality: counts.map((row) => ({ ...figuresOf(row), group: row.group })),
    series: periods.map((row) => ({ ...figuresOf(row), at: row.at })),
    step,
    calibration: calibrationBySource(forecasts),
    missing,
    from,
    to,
    nextCursor: null,
  };
}

function figuresOf(row: VerdictCounts): Omit<QualityPeriod, 'at'> {
  const { playbook, verdicts, labelled, unpriced, p50Ms, p95Ms } = row;
  const perVerdict = (total: number) => (verdicts === 0 ? null : total / verdicts);
  return {
    playbook,
    verdicts,
    labels: labelled,
    accuracy: shareOf(row.right, labelled),
    estimatedAccuracy: stratifiedShare([
      { size: row.reviews, labels: { x: row.reviewsRight, n: row.reviewsLabelled } },
      { size: verdicts - row.reviews, labels: { x: row.sampledRight, n: row.sampledLabelled } },
    ]),
    precisionOfAct: shareOf(row.actsRight, row.actsLabelled),
    reviewShare: shareOf(row.reviews, verdicts),
    degradedShare: shareOf(row.degraded, verdicts),
    citationAccuracy: shareOf(row.verified, row.cited),
    costUsdPerVerdict: perVerdict(row.costUsd),
    unpricedCalls: unpriced,
    tokensPerVerdict: perVerdict(row.tokens),
    p50Ms,
    p95Ms,
  };
}

function shareOf(part: number, of: number): QualityShare {
  if (of === 0) return { part, of, share: null, low: null, high: null };
  return { part, of, share: part / of, ...wilson({ x: part, n: of }) };
}

function calibrationBySource(counts: readonly ForecastCount[]): ShownCalibration[] {
  const sources = new Map<string, ForecastCount[]>();
  for (const count of counts) {
    const key = JSON.stringify(sourceOf(count));
    sources.set(key, [...(sources.get(key) ?? []), count]);
  }
  return [...sources.values()].map(knownCalibration).sort((a, b) => b.labels - a.labels);
}

function sourceOf(count: ForecastCount) {
  const { playbook, strategy, prompts, model, language, confidenceSource, recalibration } = count;
  return { playbook, strategy, prompts, model, language, confidenceSource, recalibration };
}

/**
 * Cached, because intervals take about 50 ms of processor time for 1,000 labels, and labels change rarely.
 */
const known = new Map<string, ShownCalibration>();
const MOST_KNOWN = 200;

function knownCalibration(counts: readonly ForecastCount[]): ShownCalibration {
  const key = JSON.stringify(counts);
  const found = known.get(key) ?? shownCalibration(counts);
  known.delete(key);
  known.set(key, found);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  return found;
}

function shownCalibration(counts: readonly ForecastCount[]): ShownCalibration {
  const forecasts = counts.flatMap(forecastsOf);
  const source = { ...sourceOf(counts[0]!), labels: forecasts.length };
  if (forecasts.length < LEAST_LABELS)
    return { ...source, error: null, brier: null, bins: [], actFrom: null };
  const { error, brier, bins } = calibrationOf(forecasts, seededRandom(SEED));
  return {
    ...source,
    error,
    brier,
    bins: bins.map(({ interval: { low, high }, consistent: _, ...bin }) => ({ ...bin, low, high })),
    actFrom: actingThreshold(forecasts, ACTED_ON)?.from ?? null,
  };
}

function forecastsOf({ confidence: stated, labels, right }: ForecastCount): Forecast[] {
  return Array.from({ length: labels }, (_, i) => ({ stated, observed: i < right ? 1 : 0 }));
}
