import type { ShownEvaluation } from '@casefile/contracts';
import { dollarsEach, ms, table } from '@casefile/kit/evaluation/tables';
import { oneLine } from '@casefile/kit/output/escape';
import { inWords, percent } from './quality-words.js';

/** Returns the results of labelled sets as tables with the columns of the figures. */
export function evaluationLines(evaluations: readonly ShownEvaluation[]): string[] {
  return [
    ...table(
      'Labelled sets (docs/results)',
      ['kind', 'set', 'date', 'by', 'verdicts', 'labels', 'right', 'not answered', 'review', 'degraded'],
      evaluations.map((one) => [
        ...evaluationNames(one),
        one.verdicts,
        one.labels,
        inWords(one.accuracy),
        percent(one.leftOpen),
        percent(one.reviewShare),
        percent(one.degradedShare),
      ]),
    ),
    ...table(
      'Precision and recall on labelled sets',
      ['kind', 'set', 'date', 'by', 'label', 'precision', 'recall'],
      evaluations.flatMap((one) =>
        one.classes.map(({ name, precision, recall }) => [
          ...evaluationNames(one),
          oneLine(name),
          inWords(precision),
          inWords(recall),
        ]),
      ),
    ),
    ...table(
      'Cost and time per verdict of labelled sets',
      ['kind', 'set', 'date', 'by', 'cost', 'tokens', 'p50', 'p95'],
      evaluations.map((one) => [
        ...evaluationNames(one),
        `${dollarsEach(one.costUsdPerVerdict)}${one.unpricedCalls === 0 ? '' : ` (${one.unpricedCalls} calls without a price)`}`,
        Math.round(one.tokensPerVerdict ?? 0),
        ms(one.p50Ms),
        ms(one.p95Ms),
      ]),
    ),
  ];
}

function evaluationNames({ playbook, set, unseen, date, by }: ShownEvaluation): string[] {
  return [
    oneLine(playbook),
    `${oneLine(set)}${unseen && set !== 'unseen' ? ' (unseen)' : ''}`,
    date,
    oneLine(by),
  ];
}
