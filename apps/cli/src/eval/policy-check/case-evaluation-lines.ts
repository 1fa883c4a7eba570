import { dollars, few, ms, rate, table, type Row } from '../tables.js';
import type { Accuracy, CaseEvaluation, Part } from './case-evaluation.js';

/** An evaluation of checked cases for people: tables of plain text. */
export function caseEvaluationLines(found: CaseEvaluation): string[] {
  const { confusion, citations, tokens, iterations, latency, cost } = found;
  return [
    `${found.cases} cases, ${found.criteria} criteria: ${found.unanswered} criteria without a result, ${found.unfinished} cases without a verdict, ${found.degraded} degraded`,
    ...table(
      'Status as labelled',
      ['', 'labels', 'right', 'accuracy', ''],
      [accuracyRow('criteria', found.status.criteria), accuracyRow('cases', found.status.cases)],
    ),
    ...table(
      'Criteria: label against result',
      ['label', 'MET', 'NOT_MET', 'UNCERTAIN', 'none'],
      Object.entries(confusion).map(([label, said]) => [label, ...Object.values(said)]),
    ),
    ...decisionTable(found),
    ...table(
      'Citations (by words: at least half of an expected quote’s words, in one quote from its section)',
      ['', 'of', 'part', 'share'],
      [
        partRow('expected quotes cited, by section', citations.sections),
        partRow('expected quotes cited, by words', citations.words),
        partRow('given citations that held', citations.verified),
        partRow('cited facts that were expected', citations.factsRight),
        partRow('expected facts that were cited', citations.factsFound),
      ],
    ),
    ...table(
      `Iterations: mean ${iterations.mean === null ? '-' : iterations.mean.toFixed(2)}`,
      ['iterations', 'criteria'],
      Object.entries(iterations.distribution),
    ),
    ...table('Reason codes', ['code', 'criteria'], Object.entries(found.reasonCodes)),
    ...table(
      'Not as labelled',
      ['case', 'criterion', 'label', 'result', 'why'],
      found.otherwise.map((one) => [
        ...[one.case, one.criterion, one.expected, one.status ?? 'none', one.reasonCode ?? '-'],
      ]),
    ),
    '',
    `Tokens a criterion: mean ${whole(tokens.mean)}, p50 ${whole(tokens.p50)}, p95 ${whole(tokens.p95)}, max ${whole(tokens.max)}; in all ${tokens.total}, of these ${tokens.search} by searches`,
    `Cost: ${dollars(cost.usd, cost.calls, cost.unpriced)}; a criterion ${cost.perCriterion === null ? 'not known' : `$${cost.perCriterion.toFixed(4)}`}; ${cost.calls} model calls`,
    `Latency: a criterion p50 ${ms(latency.answerP50)}, p95 ${ms(latency.answerP95)}; model p50 ${ms(latency.modelP50)}, p95 ${ms(latency.modelP95)}; a case p50 ${ms(latency.caseP50)}, p95 ${ms(latency.caseP95)}`,
  ];
}

function decisionTable({ decisions }: CaseEvaluation): string[] {
  const { metForNotMet, notMetForMet, decidedForUncertain, abstained, right } = decisions;
  return table(
    `Decisions: ${right.part} of ${right.of} right (${rate(right.rate)})`,
    ['', 'criteria'],
    [
      ['wrong: MET for NOT_MET', metForNotMet],
      ['wrong: NOT_MET for MET', notMetForMet],
      ['decided what cannot be', decidedForUncertain],
      ['abstained where it can be decided', abstained],
    ],
  );
}

function accuracyRow(name: string, { labels, right, rate: found, tooFewLabels }: Accuracy): Row {
  return [name, labels, right, rate(found), few(tooFewLabels)];
}

function partRow(name: string, { of, part, rate: found }: Part): Row {
  return [name, of, part, rate(found)];
}

function whole(value: number | null): string {
  return value === null ? '-' : String(Math.round(value));
}
