import type { CriterionStatus } from '@casefile/contracts';
import { FEW_LABELS, mean, quantile, share, sum } from '../figures.js';
import type { JudgedCase, JudgedCriterion } from './judged-case.js';

/** How many were right, of how many. */
export interface Accuracy {
  labels: number;
  right: number;
  rate: number | null;
  tooFewLabels: boolean;
}

/** A part of things that were counted. */
export interface Part {
  of: number;
  part: number;
  rate: number | null;
}

export interface CaseEvaluation {
  cases: number;
  criteria: number;
  /** Cases without a verdict, cases that were degraded, criteria without a result. */
  unfinished: number;
  degraded: number;
  unanswered: number;
  status: { criteria: Accuracy; cases: Accuracy };
  /** Label against result; `none`: there is no result. */
  confusion: Record<CriterionStatus, Record<CriterionStatus | 'none', number>>;
  decisions: {
    /** MET for NOT_MET, and the reverse. */
    metForNotMet: number;
    notMetForMet: number;
    /** MET or NOT_MET where nothing can be decided. */
    decidedForUncertain: number;
    /** UNCERTAIN where it can be decided. */
    abstained: number;
    /** Of what was decided, how much is as labelled. */
    right: Part;
  };
  citations: {
    /** Expected quotes that were cited. */
    sections: Part;
    words: Part;
    /** Given citations that held. */
    verified: Part;
    /** Cited facts that were expected, and expected facts that were cited. */
    factsRight: Part;
    factsFound: Part;
  };
  iterations: { mean: number | null; distribution: Record<string, number> };
  /** A criterion, input and output. */
  tokens: {
    mean: number | null;
    p50: number | null;
    p95: number | null;
    max: number | null;
    total: number;
    search: number;
  };
  /** In US dollars; a criterion: over those of which every price is known. */
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

/** Everything that is measured of checked cases. */
export function caseEvaluationOf(judged: readonly JudgedCase[]): CaseEvaluation {
  const criteria = judged.flatMap((one) => one.criteria);
  const answered = criteria.filter(({ status }) => status !== null);
  const tokens = answered.map((one) => one.tokens);
  const priced = answered.filter(({ unpriced }) => unpriced === 0);
  const times = answered.flatMap(({ answerMs }) => answerMs ?? []);
  const modelMs = answered.filter(({ calls }) => calls > 0).map((one) => one.modelMs);
  const caseMs = judged.map(({ totalMs }) => totalMs);
  return {
    ...{ cases: judged.length, criteria: criteria.length },
    unfinished: judged.filter(({ status }) => status === null).length,
    degraded: judged.filter(({ degraded }) => degraded).length,
    unanswered: criteria.length - answered.length,
    status: { criteria: accuracyOf(criteria), cases: accuracyOf(judged) },
    confusion: confusionOf(criteria),
    decisions: decisionsOf(criteria),
    citations: citationsOf(criteria),
    iterations: {
      mean: mean(answered.map(({ iterations }) => iterations)),
      distribution: counts(answered.map(({ iterations }) => String(iterations))),
    },
    tokens: {
      ...{ mean: mean(tokens), p50: quantile(tokens, 0.5), p95: quantile(tokens, 0.95) },
      ...{ max: quantile(tokens, 1), total: sum(tokens) },
      search: sum(answered.map(({ searchTokens }) => searchTokens)),
    },
    cost: {
      usd: sum(criteria.map(({ costUsd }) => costUsd)),
      perCriterion: mean(priced.map(({ costUsd }) => costUsd)),
      calls: sum(criteria.map(({ calls }) => calls)),
      unpriced: sum(criteria.map(({ unpriced }) => unpriced)),
    },
    latency: {
      ...{ answerP50: quantile(times, 0.5), answerP95: quantile(times, 0.95) },
      ...{ modelP50: quantile(modelMs, 0.5), modelP95: quantile(modelMs, 0.95) },
      ...{ caseP50: quantile(caseMs, 0.5), caseP95: quantile(caseMs, 0.95) },
    },
    reasonCodes: counts(answered.flatMap(({ reasonCode }) => reasonCode ?? [])),
    otherwise: judged.flatMap((one) =>
      one.criteria
        .filter(({ status, expected }) => status !== expected)
        .map(({ id, expected, status, reasonCode }) => ({
          ...{ case: one.id, criterion: id, expected, status, reasonCode },
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

function confusionOf(criteria: readonly JudgedCriterion[]): CaseEvaluation['confusion'] {
  const row = (expected: CriterionStatus) => {
    const own = criteria.filter((one) => one.expected === expected);
    const as = (status: CriterionStatus | null) => own.filter((one) => one.status === status).length;
    return { MET: as('MET'), NOT_MET: as('NOT_MET'), UNCERTAIN: as('UNCERTAIN'), none: as(null) };
  };
  return { MET: row('MET'), NOT_MET: row('NOT_MET'), UNCERTAIN: row('UNCERTAIN') };
}

function decisionsOf(criteria: readonly JudgedCriterion[]): CaseEvaluation['decisions'] {
  const confusion = confusionOf(criteria);
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

function citationsOf(criteria: readonly JudgedCriterion[]): CaseEvaluation['citations'] {
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
  const found = new Map<string, number>();
  for (const name of names.toSorted()) found.set(name, (found.get(name) ?? 0) + 1);
  return Object.fromEntries(found);
}
