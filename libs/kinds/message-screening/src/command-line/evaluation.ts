import { LEAST_IN_BIN, type Calibration } from '@casefile/pipeline';
import { quantile, sum } from '@casefile/kit/evaluation/figures';
import {
  type JudgedMessage,
  categoryScores,
  judgedConfusion,
  hitRates,
  judgedReliability,
  judgedScores,
  type CategoryScores,
  type Scores,
} from './measures.js';
import { dollars, few, ms, rate, intervalRate, table, type Row } from '@casefile/kit/evaluation/tables';

/**
 * Names in the knowledge base for each category of the labels, because patterns and labels come from
 * different authors.
 */
export type SameCategories = Record<string, string[]>;

interface Evaluation {
  messages: number;
  /** Messages without a verdict; `degraded`: messages with the safe default. */
  unfinished: number;
  degraded: number;
  confusion: ReturnType<typeof judgedConfusion>;
  overall: Scores;
  byLanguage: Record<string, Scores>;
  byCategory: CategoryScores[];
  calibration: Calibration;
  /** Share of the messages whose language was detected as labelled. */
  routing: { labels: number; right: number };
  retrieval: Record<string, ReturnType<typeof hitRates>>;
  cost: { usd: number; unpriced: number; calls: number; tokens: number };
  /** In milliseconds. */
  latency: {
    modelP50: number | null;
    modelP95: number | null;
    totalP50: number | null;
    totalP95: number | null;
  };
}

/** Removes the groups that are so small that they could reveal a single message. */
export function evaluationTotals(evaluation: Evaluation): Evaluation {
  return { ...evaluation, byCategory: [], calibration: { ...evaluation.calibration, bins: [] } };
}

/** Returns every measure of judged messages. */
export function judgedEvaluation(
  results: readonly JudgedMessage[],
  sameCategories: SameCategories,
): Evaluation {
  const same = (name: string, label: string) =>
    name === label || (sameCategories[label] ?? []).includes(name);
  const languages = [...new Set(results.map(({ language }) => language))].sort();
  const by = <T>(measure: (own: JudgedMessage[]) => T) =>
    Object.fromEntries(
      languages.map((language) => [language, measure(results.filter((one) => one.language === language))]),
    );
  const total = (value: (one: JudgedMessage) => number) => sum(results.map(value));
  const routed = results.filter((one) => one.routed !== null);
  const modelMs = results.filter(({ calls }) => calls > 0).map((one) => one.modelMs);
  const totalMs = results.map((one) => one.totalMs);
  return {
    messages: results.length,
    unfinished: results.filter(({ action }) => action === null).length,
    degraded: results.filter(({ degraded }) => degraded).length,
    confusion: judgedConfusion(results),
    overall: judgedScores(results),
    byLanguage: by(judgedScores),
    byCategory: categoryScores(results, same),
    calibration: judgedReliability(results),
    routing: {
      labels: routed.length,
      right: routed.filter(({ language, routed: to }) => to?.language === language).length,
    },
    retrieval: { all: hitRates(results, same), ...by((own) => hitRates(own, same)) },
    cost: {
      usd: total(({ costUsd }) => costUsd),
      unpriced: total(({ unpriced }) => unpriced),
      calls: total(({ calls }) => calls),
      tokens: total(({ tokens }) => tokens),
    },
    latency: {
      modelP50: quantile(modelMs, 0.5),
      modelP95: quantile(modelMs, 0.95),
      totalP50: quantile(totalMs, 0.5),
      totalP95: quantile(totalMs, 0.95),
    },
  };
}

/** Returns an evaluation as plain-text tables for people. */
export function evaluationLines(evaluation: Evaluation): string[] {
  const { confusion, calibration, cost, latency, routing } = evaluation;
  const actions = Object.keys(confusion.scam);
  return [
    `${evaluation.messages} messages: ${evaluation.degraded} with the safe default, ${evaluation.unfinished} without a verdict`,
    ...table(
      '',
      ['label', ...actions],
      [
        ['scam', ...Object.values(confusion.scam)],
        ['harmless', ...Object.values(confusion.harmless)],
      ],
    ),
    ...table(
      'Acted on (engage or probe), by language, with 95 % intervals',
      ['language', 'labels', 'precision', 'recall', 'F1', ''],
      [
        scoreRow('all', evaluation.overall),
        ...Object.entries(evaluation.byLanguage).map(([name, s]) => scoreRow(name, s)),
      ],
    ),
    ...table(
      'By category',
      ['category', 'labels', 'acted on', 'named: precision', 'recall', 'F1', ''],
      evaluation.byCategory.map(({ category, labels, recall, named, tooFewLabels }) => [
        category,
        labels,
        rate(recall),
        rate(named.precision),
        rate(named.recall),
        rate(named.f1),
        few(tooFewLabels),
      ]),
    ),
    ...table(
      calibrationTitle(calibration),
      ['stated', 'labels', 'mean stated', 'observed', '95 % interval', ''],
      calibration.bins.map((bin) => [
        `${bin.from.toFixed(2)} to ${bin.to.toFixed(2)}`,
        bin.labels,
        rate(bin.stated),
        rate(bin.observed),
        `${bin.interval.low.toFixed(2)} to ${bin.interval.high.toFixed(2)}`,
        few(bin.labels < LEAST_IN_BIN),
      ]),
    ),
    ...table(
      'Retrieval: the category is among the first matches',
      ['language', 'scams looked up', 'at 1', 'at 3', ''],
      Object.entries(evaluation.retrieval)
        .filter(([, { labels }]) => labels > 0)
        .map(([name, { labels, at1, at3, tooFewLabels }]) => [
          name,
          labels,
          rate(at1),
          rate(at3),
          few(tooFewLabels),
        ]),
    ),
    '',
    `Routing: ${routing.right} of ${routing.labels} languages as labelled`,
    `Cost: ${dollars(cost.usd, cost.calls, cost.unpriced)}; ${cost.calls} model calls, ${cost.tokens} tokens`,
    `Latency: model p50 ${ms(latency.modelP50)}, p95 ${ms(latency.modelP95)}; in all p50 ${ms(latency.totalP50)}, p95 ${ms(latency.totalP95)}`,
  ];
}

function scoreRow(name: string, { labels, intervals, f1, tooFewLabels }: Scores): Row {
  const { precision, recall } = intervals;
  return [name, labels, intervalRate(precision), intervalRate(recall), rate(f1), few(tooFewLabels)];
}

function calibrationTitle({ labels, error, brier }: Calibration): string {
  const interval =
    error === null
      ? 'too few for a calibration error'
      : `calibration error ${rate(error.value)} (${rate(error.low)} to ${rate(error.high)})`;
  return `Calibration, ${labels} stated probabilities: ${interval}, Brier score ${rate(brier?.score ?? null)}`;
}
