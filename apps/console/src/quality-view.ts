import {
  seededRandom,
  type ExaminerCounts,
  type ForecastCount,
  type LabelFacts,
  type Quality,
  type QualityPeriod,
  type QualityQuery,
  type QualityShare,
  type ShownCalibration,
  type ShownExaminer,
  type VerdictCounts,
  type QualityFigures,
} from '@casefile/contracts';
import {
  actingThreshold,
  computeCalibration,
  LEAST_LABELS,
  newcombe,
  stratifiedShare,
  type ActingThreshold,
  type Forecast,
} from '@casefile/pipeline';
import { qualityShare } from './quality-share.js';

/** Most tools whose missing answers are listed. */
const MOST_MISSING = 20;
const HOUR_MS = 3_600_000;
/** Longest range, in milliseconds, that is shown by hours. */
const BY_HOUR_MS = 72 * HOUR_MS;
/** Fixed seed of resampling, so that equal labels give equal intervals. */
const SEED = 1;
/** Largest share of wrong verdicts among those acted on, and the probability that the share is higher. */
export const ACTED_ON = { alpha: 0.05, delta: 0.05 };

/**
 * Returns the share of right verdicts in a period and their cost: per kind or group, over time, with the
 * calibration of each source of confidence.
 */
export async function qualityView(
  figures: Pick<QualityFigures, 'counts' | 'series' | 'forecasts' | 'labelFacts' | 'missing' | 'examiners'>,
  query: QualityQuery,
): Promise<Omit<Quality, 'evaluations'>> {
  const { from, to, by: _, ...kind } = query;
  const step = Date.parse(to) - Date.parse(from) <= BY_HOUR_MS ? 'hour' : 'day';
  const range = { from, to, ...kind };
  const [counts, periods, forecasts, facts, missing, examiners] = await Promise.all([
    figures.counts(query),
    figures.series(range, step),
    figures.forecasts(range),
    figures.labelFacts(range),
    figures.missing(range, MOST_MISSING),
    figures.examiners(range),
  ]);
  return {
    quality: counts.map((row) => ({ ...periodFigures(row), group: row.group })),
    series: periods.map((row) => ({ ...periodFigures(row), at: row.at })),
    step,
    labelsBeforeCurrent: beforeCurrent(facts),
    calibration: calibrationBySource(forecasts).map((one) => withFacts(one, facts)),
    missing,
    examiners: examiners.map(shownExaminer),
    from,
    to,
    nextCursor: null,
  };
}

/** Share of supported planted claims above which an examiner is doubtful, and the fewest claims that show it. */
const DOUBTFUL = { share: 0.1, least: 20 };

function shownExaminer(one: ExaminerCounts): ShownExaminer {
  const { provider, model, examinations, planted, supported, labelled, agreed } = one;
  return {
    provider,
    model,
    examinations,
    plantedSupported: qualityShare(supported, planted),
    agreement: qualityShare(agreed, labelled),
    isDoubtful: planted >= DOUBTFUL.least && supported > DOUBTFUL.share * planted,
  };
}

function periodFigures(row: VerdictCounts): Omit<QualityPeriod, 'at'> {
  const { playbook, verdicts, labelled, unpriced, p50Ms, p95Ms } = row;
  const perVerdict = (total: number) => (verdicts === 0 ? null : total / verdicts);
  return {
    playbook,
    verdicts,
    labels: labelled,
    accuracy: qualityShare(row.right, labelled),
    estimatedAccuracy: stratifiedShare([
      { size: row.reviews, labels: { x: row.reviewsRight, n: row.reviewsLabelled } },
      { size: verdicts - row.reviews, labels: { x: row.sampledRight, n: row.sampledLabelled } },
    ]),
    precisionOfAct: qualityShare(row.actsRight, row.actsLabelled),
    reviewShare: qualityShare(row.reviews, verdicts),
    degradedShare: qualityShare(row.degraded, verdicts),
    citationAccuracy: qualityShare(row.verified, row.cited),
    costUsdPerVerdict: perVerdict(row.costUsd),
    unpricedCalls: unpriced,
    tokensPerVerdict: perVerdict(row.tokens),
    p50Ms,
    p95Ms,
  };
}

const sizeOf = ({ olderLabels, newerLabels }: LabelFacts): number => olderLabels + newerLabels;

function beforeCurrent(facts: readonly LabelFacts[]): QualityShare {
  const total = (some: readonly LabelFacts[]) => some.reduce((sum, one) => sum + sizeOf(one), 0);
  return qualityShare(total(facts.filter(({ isCurrent }) => !isCurrent)), total(facts));
}

function withFacts(one: Calibrated, facts: readonly LabelFacts[]): ShownCalibration {
  const key = JSON.stringify(confidenceOrigin(one));
  const matchingFacts = facts.find((fact) => JSON.stringify(confidenceOrigin(fact)) === key);
  if (matchingFacts === undefined) return { ...one, age: null, drift: null };
  const { oldest, newest, median, isCurrent, olderLabels, olderRight, newerLabels, newerRight } =
    matchingFacts;
  const { low, high } = newcombe({ x: newerRight, n: newerLabels }, { x: olderRight, n: olderLabels });
  const drift = {
    older: qualityShare(olderRight, olderLabels),
    newer: qualityShare(newerRight, newerLabels),
    low,
    high,
    isDrift: low > 0 || high < 0,
  };
  const age = { oldest, newest, median, isCurrent };
  return { ...one, age, drift: sizeOf(matchingFacts) < LEAST_LABELS ? null : drift };
}

type Calibrated = Omit<ShownCalibration, 'age' | 'drift'>;

function calibrationBySource(counts: readonly ForecastCount[]): Calibrated[] {
  const sources = new Map<string, ForecastCount[]>();
  for (const count of counts) {
    const key = JSON.stringify(confidenceOrigin(count));
    sources.set(key, [...(sources.get(key) ?? []), count]);
  }
  return [...sources.values()].map(cachedCalibration).sort((a, b) => b.labels - a.labels);
}

function confidenceOrigin(count: Omit<ForecastCount, 'confidence' | 'labels' | 'right'>) {
  const { playbook, strategy, prompts, model, language, confidenceSource, recalibration } = count;
  return { playbook, strategy, prompts, model, language, confidenceSource, recalibration };
}

/**
 * Cached, because intervals take about 50 ms of processor time for 1,000 labels, and labels change rarely.
 */
const calibrationCache = new Map<string, Calibrated>();
const MOST_CACHED = 200;

function cachedCalibration(counts: readonly ForecastCount[]): Calibrated {
  const key = JSON.stringify(counts);
  const calibration = calibrationCache.get(key) ?? shownCalibration(counts);
  calibrationCache.delete(key);
  calibrationCache.set(key, calibration);
  const [oldest] = calibrationCache.keys();
  if (calibrationCache.size > MOST_CACHED && oldest !== undefined) calibrationCache.delete(oldest);
  return calibration;
}

function shownCalibration(counts: readonly ForecastCount[]): Calibrated {
  const forecasts = counts.flatMap(repeatForecast);
  const source = { ...confidenceOrigin(counts[0]!), labels: forecasts.length };
  if (forecasts.length < LEAST_LABELS)
    return { ...source, error: null, brier: null, bins: [], actFrom: null, acting: null };
  const acting = actingThreshold(forecasts, ACTED_ON);
  const { error, brier, bins } = computeCalibration(forecasts, seededRandom(SEED));
  return {
    ...source,
    error,
    brier,
    bins: bins.map(({ interval: { low, high }, consistent: _, ...bin }) => ({ ...bin, low, high })),
    actFrom: acting?.from ?? null,
    acting: acting === null ? null : shownThreshold(acting),
  };
}

function shownThreshold({ from, actedOn, wrong, recall, left }: ActingThreshold) {
  return { from, actedOn, wrong, recall, reviewLoad: left };
}

function repeatForecast({ confidence: stated, labels, right }: ForecastCount): Forecast[] {
  return Array.from({ length: labels }, (_, i) => ({ stated, observed: i < right ? 1 : 0 }));
}
