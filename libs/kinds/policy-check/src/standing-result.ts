import type { CriterionResult, CriterionStatus, Review, RunSettings } from '@casefile/contracts';
import { isContradiction } from '@casefile/pipeline/parts/contradicting';
import { isUnanswered, NOT_CROSS_EXAMINED } from '@casefile/pipeline/parts/cross-examining';
import type { UnitResult } from '@casefile/pipeline/stage-parts';
import { options } from './options.js';
import { ruledAnswer } from './rules/check-by-rules.js';
import { codeWeight } from './contradiction-table.js';
import { unconfirmedRefusal } from './confirmed-refusal.js';
import { STATUS_WORDS } from './words.js';

type Settings = Pick<RunSettings, 'options'>;
type UnitParts = Pick<UnitResult, 'unit' | 'brief' | 'evidence' | 'draft' | 'review'>;
type AnswerReview = Pick<Review, 'findings' | 'crossExamination'>;

/** Highest confidence of an answer that no second question confirmed. */
const UNCONFIRMED = 0.5;

/** Returns whether the findings weigh so much that the answer is not accepted. */
export function isContradicted({ findings }: AnswerReview, settings: Pick<RunSettings, 'options'>): boolean {
  const codes = new Set(findings.filter(isContradiction).map(({ code }) => code));
  const weight = [...codes].reduce((sum, code) => sum + codeWeight(code), 0);
  return weight >= options.read(settings.options).contradictedFrom;
}

/** A criterion as the verdict has it, with the findings against the model's answer. */
export interface StandingResult {
  result: CriterionResult;
  /**
   * One sentence per finding, the most important first. Empty: the answer is accepted, or it was uncertain.
   */
  against: string[];
}

/**
 * Returns a criterion after its review. An answer is UNCERTAIN if the record contradicts it, if the
 * cross-examination contradicts it or finds no support, if the cross-examination got no answer, or if it is a
 * refusal that nothing confirms. The rationale then states why, and the model's own rationale is `unproven`.
 * @param ruled Status that the rules reach from the same evidence; null: they leave the criterion undecided.
 */
function standingResult(
  result: CriterionResult,
  { draft, review }: Pick<UnitParts, 'draft' | 'review'>,
  settings: Settings,
  ruled: CriterionStatus | null,
): StandingResult {
  if (result.status === 'UNCERTAIN') return { result, against: [] };
  const said = (isOne: (code: string) => boolean) =>
    review.findings.filter(({ code }) => isOne(code)).map(({ message }) => message);
  if (isContradicted(review, settings))
    return rejectedResult(
      result,
      'answer_contradicted',
      said((code) => isContradiction({ id: '', code, message: '' })),
    );
  const removed = review.crossExamination?.claims.find(({ answer }) => answer !== 'supports');
  if (removed !== undefined)
    return rejectedResult(
      result,
      removed.answer === 'contradicts' ? 'answer_contradicted' : 'answer_not_supported',
      said((code) => code === 'claim_contradicted' || code === 'claim_not_in_sources'),
    );
  const left = Math.min(result.confidence, UNCONFIRMED);
  if (isUnanswered(review))
    return rejectedResult(
      result,
      'answer_not_examined',
      said((code) => code === NOT_CROSS_EXAMINED),
      left,
    );
  const problem = unconfirmedRefusal(result, { draft, review }, ruled);
  return problem === null
    ? { result, against: [] }
    : rejectedResult(result, 'refusal_not_confirmed', [problem], left);
}

/** Returns the result of a unit after its review. */
export function unitStanding(
  { unit, brief, evidence, draft, review }: UnitParts,
  result: CriterionResult,
  settings: Settings,
): StandingResult {
  const ruled = draft.method === 'heuristic' ? result : ruledAnswer({ brief, evidence }, unit);
  return standingResult(result, { draft, review }, settings, ruled?.status ?? null);
}

function rejectedResult(
  result: CriterionResult,
  reasonCode: string,
  against: string[],
  confidence = 0,
): StandingResult {
  const { status, rationale, withheld, claimed } = result;
  const sentences = withheld === undefined ? against : [withoutQuotes(reasonCode)];
  const said = `${sentences.join(' ')} The answer “${STATUS_WORDS[status]}” does not stand.`;
  return {
    against: sentences,
    result: {
      ...result,
      status: 'UNCERTAIN' satisfies CriterionStatus,
      confidence,
      reasonCode,
      rationale: said,
      unproven: rationale,
      claimed: claimed ?? { status, confidence: result.confidence },
      ...(withheld === undefined ? {} : { withheld: { ...withheld, rationale: said } }),
    },
  };
}

// Reasons leave Casefile, so quotes, which may be from confidential sections, are left out.
const withoutQuotes = (reasonCode: string): string =>
  ({
    answer_contradicted: 'The record contradicts the answer; the words are in a confidential section.',
    answer_not_supported: 'The cited sources do not support the answer.',
    refusal_not_confirmed: 'Nothing confirms the refusal.',
  })[reasonCode] ?? 'A second model question did not confirm the answer.';
