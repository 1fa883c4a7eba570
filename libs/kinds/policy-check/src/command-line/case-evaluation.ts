import type { CriterionStatus } from '@casefile/contracts';
import { FEW_LABELS, mean, quantile, share, sum } from '@casefile/kit/evaluation/figures';
import type { JudgedCase, JudgedCriterion } from './judged-case.js';
import { dollars, few, ms, rate, table, type Row } from '@casefile/kit/evaluation/tables';

/** Number of right answers out of the labels. */
interface Accuracy {
  labels: number;
  right: number;
  rate: number | null;
  tooFewLabels: boolean;
}

/** A share of counted things. */
export interface Part {
  of: number;
  part: number;
  rate: number | null;
}

interface CaseEvaluation {
  cases: number;
  criteria: number;
  /** Number of cases without a verdict, of degraded cases, and of criteria without a result. */
  unfinished: number;
  degraded: number;
  unanswered: number;
  status: { criteria: Accuracy; cases: Accuracy };
  /** Results per label; `none`: there is no result. */
  confusion: Record<CriterionStatus, Record<CriterionStatus | 'none', number>>;
  decisions: {
    /** MET where NOT_MET is labelled, and the reverse. */
    metForNotMet: number;
    notMetForMet: number;
    /** MET or NOT_MET where UNCERTAIN is labelled. */
    decidedForUncertain: number;
    /** UNCERTAIN where MET or NOT_MET is labelled. */
    abstained: number;
    /** Share of the decided results that are as labelled. */
    right: Part;
  };
  citations: {
    /** Share of the expected quotes that were cited: by section and by words. */
    sections: Part;
    words: Part;
    /** Share of the given citations that were verified. */
    verified: Part;
    /** Share of the cited facts that were expected, and of the expected facts that were cited. */
    factsRight: Part;
    factsFound: Part;
  };
  iterations: { mean: number | null; distribution: Record<string, number> };
  /** Input and output tokens per criterion. */
  tokens: {
    mean: number | null;
    p50: number | null;
    p95: number | null;
    max: number | null;
    total: number;
    search: number;
  };
  /** In US dollars. The cost per criterion covers only criteria with known prices for all calls. */
  cost: { usd: number; perCriterion: number | null; calls: number; unpriced: number };
  /** In milliseconds. */
  latency: Record<'answerP50' | 'answerP95' | 'modelP50' | 'modelP95' | 'caseP50' | 'caseP95', number | null>;
  reasonCodes: Record<string, number>;
  /** Every result that is not as labelled. */
  otherwise: {
    case: string;
    criterion: string;
    expected: CriterionStatus;
    status: CriterionStatus | null;
    reasonCode: string | null;
  }[];
}

/** Returns every measure of checked cases. */
export function judgedCaseEvaluation(results: readonly JudgedCase[]): CaseEvaluation {
  const criteria = results.flatMap((one) => one.criteria);
  const answered = criteria.filter(({ status }) => status !== null);
  const tokens = answered.map((one) => one.tokens);
  const priced = answered.filter(({ unpriced }) => unpriced === 0);
  const times = answered.flatMap(({ answerMs }) => answerMs ?? []);
  const modelMs = answered.filter(({ calls }) => calls > 0).map((one) => one.modelMs);
  const caseMs = results.map(({ totalMs }) => totalMs);
  return {
    cases: results.length,
    criteria: criteria.length,
    unfinished: results.filter(({ status }) => status === null).length,
    degraded: results.filter(({ degraded }) => degraded).length,
    unanswered: criteria.length - answered.length,
    status: { criteria: accuracyOf(criteria), cases: accuracyOf(results) },
    confusion: criteriaConfusion(criteria),
    decisions: criteriaDecisions(criteria),
    citations: criteriaCitations(criteria),
    iterations: {
      mean: mean(answered.map(({ iterations }) => iterations)),
      distribution: counts(answered.map(({ iterations }) => String(iterations))),
    },
    tokens: {
      mean: mean(tokens),
      p50: quantile(tokens, 0.5),
      p95: quantile(tokens, 0.95),
      max: quantile(tokens, 1),
      total: sum(tokens),
      search: sum(answered.map(({ searchTokens }) => searchTokens)),
    },
    cost: {
      usd: sum(criteria.map(({ costUsd }) => costUsd)),
      perCriterion: mean(priced.map(({ costUsd }) => costUsd)),
      calls: sum(criteria.map(({ calls }) => calls)),
      unpriced: sum(criteria.map(({ unpriced }) => unpriced)),
    },
    latency: {
      answerP50: quantile(times, 0.5),
      answerP95: quantile(times, 0.95),
      modelP50: quantile(modelMs, 0.5),
      modelP95: quantile(modelMs, 0.95),
      caseP50: quantile(caseMs, 0.5),
      caseP95: quantile(caseMs, 0.95),
    },
    reasonCodes: counts(answered.flatMap(({ reasonCode }) => reasonCode ?? [])),
    otherwise: results.flatMap((one) =>
      one.criteria
        .filter(({ status, expected }) => status !== expected)
        .map(({ id, expected, status, reasonCode }) => ({
          case: one.id,
          criterion: id,
          expected,
          status,
          reasonCode,
        })),
    ),
  };
}

function accuracyOf(all: readonly { expected: CriterionStatus; status: CriterionStatus | null }[]): Accuracy {
  const right = all.filter(({ expected, status }) => status === expected).length;
  return {
    labels: all.length,
    right,
    rate: share(right, all.length),
    tooFewLabels: all.length < FEW_LABELS,
  };
}

function criteriaConfusion(criteria: readonly JudgedCriterion[]): CaseEvaluation['confusion'] {
  const row = (expected: CriterionStatus) => {
    const own = criteria.filter((one) => one.expected === expected);
    const as = (status: CriterionStatus | null) => own.filter((one) => one.status === status).length;
    return { MET: as('MET'), NOT_MET: as('NOT_MET'), UNCERTAIN: as('UNCERTAIN'), none: as(null) };
  };
  return { MET: row('MET'), NOT_MET: row('NOT_MET'), UNCERTAIN: row('UNCERTAIN') };
}

function criteriaDecisions(criteria: readonly JudgedCriterion[]): CaseEvaluation['decisions'] {
  const confusion = criteriaConfusion(criteria);
  const decided = criteria.filter(({ status }) => status === 'MET' || status === 'NOT_MET');
  const right = decided.filter(({ status, expected }) => status === expected).length;
  return {
    metForNotMet: confusion.NOT_MET.MET,
    notMetForMet: confusion.MET.NOT_MET,
    decidedForUncertain: confusion.UNCERTAIN.MET + confusion.UNCERTAIN.NOT_MET,
    abstained: confusion.MET.UNCERTAIN + confusion.NOT_MET.UNCERTAIN,
    right: partOf(right, decided.length),
  };
}

function criteriaCitations(criteria: readonly JudgedCriterion[]): CaseEvaluation['citations'] {
  const total = (value: (one: JudgedCriterion) => number) => sum(criteria.map(value));
  const quotes = total((one) => one.quotes.expected);
  const right = total((one) => one.facts.right);
  return {
    sections: partOf(
      total((one) => one.quotes.sections),
      quotes,
    ),
    words: partOf(
      total((one) => one.quotes.words),
      quotes,
    ),
    verified: partOf(
      total((one) => one.given.verified),
      total((one) => one.given.all),
    ),
    factsRight: partOf(
      right,
      total((one) => one.facts.cited),
    ),
    factsFound: partOf(
      right,
      total((one) => one.facts.expected),
    ),
  };
}

function partOf(part: number, of: number): Part {
  return { of, part, rate: share(part, of) };
}

function counts(names: readonly string[]): Record<string, number> {
  const countByName = new Map<string, number>();
  for (const name of names.toSorted()) countByName.set(name, (countByName.get(name) ?? 0) + 1);
  return Object.fromEntries(countByName);
}

/** Returns an evaluation of checked cases as plain-text tables for people. */
export function caseEvaluationLines(evaluation: CaseEvaluation): string[] {
  const { confusion, citations, tokens, iterations, latency, cost } = evaluation;
  return [
    `${evaluation.cases} cases, ${evaluation.criteria} criteria: ${evaluation.unanswered} criteria without a result, ${evaluation.unfinished} cases without a verdict, ${evaluation.degraded} degraded`,
    ...table(
      'Expected status',
      ['', 'labels', 'right', 'accuracy', ''],
      [accuracyRow('criteria', evaluation.status.criteria), accuracyRow('cases', evaluation.status.cases)],
    ),
    ...table(
      'Criteria: label against result',
      ['label', 'MET', 'NOT_MET', 'UNCERTAIN', 'none'],
      Object.entries(confusion).map(([label, statuses]) => [label, ...Object.values(statuses)]),
    ),
    ...decisionTable(evaluation),
    ...table(
      'Citations (by words: at least half of an expected quote’s words, in one quote from its section)',
      ['', 'of', 'part', 'share'],
      [
        partRow('expected quotes cited, by section', citations.sections),
        partRow('expected quotes cited, by words', citations.words),
        partRow('citations that were verified', citations.verified),
        partRow('cited facts that were expected', citations.factsRight),
        partRow('expected facts that were cited', citations.factsFound),
      ],
    ),
    ...table(
      `Iterations: mean ${iterations.mean === null ? '-' : iterations.mean.toFixed(2)}`,
      ['iterations', 'criteria'],
      Object.entries(iterations.distribution),
    ),
    ...table('Reason codes', ['code', 'criteria'], Object.entries(evaluation.reasonCodes)),
    ...table(
      'Not as labelled',
      ['case', 'criterion', 'label', 'result', 'why'],
      evaluation.otherwise.map((one) => [
        one.case,
        one.criterion,
        one.expected,
        one.status ?? 'none',
        one.reasonCode ?? '-',
      ]),
    ),
    '',
    `Tokens per criterion: mean ${whole(tokens.mean)}, p50 ${whole(tokens.p50)}, p95 ${whole(tokens.p95)}, max ${whole(tokens.max)}; in all ${tokens.total}, of these ${tokens.search} by searches`,
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

function accuracyRow(name: string, { labels, right, rate: ratio, tooFewLabels }: Accuracy): Row {
  return [name, labels, right, rate(ratio), few(tooFewLabels)];
}

function partRow(name: string, { of, part, rate: ratio }: Part): Row {
  return [name, of, part, rate(ratio)];
}

function whole(value: number | null): string {
  return value === null ? '-' : String(Math.round(value));
}
