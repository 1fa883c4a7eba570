import { dollars, few, ms, rate, rateOf, table, type Row } from '../tables.js';
import type { Evaluation } from './evaluation.js';
import type { Scores } from './measures.js';

/** An evaluation for people: tables of plain text. */
export function evaluationLines(found: Evaluation): string[] {
  const { confusion, calibration, cost, latency, routing } = found;
  const actions = Object.keys(confusion.scam);
  return [
    `${found.messages} messages: ${found.degraded} with the safe default, ${found.unfinished} without a verdict`,
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
        scoreRow('all', found.overall),
        ...Object.entries(found.byLanguage).map(([name, s]) => scoreRow(name, s)),
      ],
    ),
    ...table(
      'By category',
      ['category', 'labels', 'acted on', 'named: precision', 'recall', 'F1', ''],
      found.byCategory.map(({ category, labels, recall, named, tooFewLabels }) => [
        ...[category, labels, rate(recall), rate(named.precision), rate(named.recall), rate(named.f1)],
        few(tooFewLabels),
      ]),
    ),
    ...table(
      `Calibration of ${calibration.judged} judged: ECE ${rate(calibration.ece)}, Brier ${rate(calibration.brier)} ${few(calibration.tooFewLabels)}`,
      ['stated', 'labels', 'mean stated', 'observed', ''],
      calibration.bins
        .filter(({ labels }) => labels > 0)
        .map((bin) => [
          ...[`${bin.from} to ${bin.to}`, bin.labels, rate(bin.stated), rate(bin.observed)],
          few(bin.tooFewLabels),
        ]),
    ),
    ...table(
      'Retrieval: the category is among the first matches',
      ['language', 'scams looked up', 'at 1', 'at 3', ''],
      Object.entries(found.retrieval)
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
  return [name, labels, rateOf(precision), rateOf(recall), rate(f1), few(tooFewLabels)];
}
