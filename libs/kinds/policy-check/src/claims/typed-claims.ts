import type { CheckedClaim, ComparisonResult, TypedClaim } from '@casefile/contracts';
import type { ReviewInput } from '@casefile/pipeline/stage-parts';
import { CLAIM } from '../examine.js';
import { ruledAnswer } from '../rules/check-by-rules.js';
import { checkChanges } from './changes.js';
import { checkComputed } from './computed.js';
import { checkFacts } from './facts.js';
import { answerGround, type AnswerGround } from './ground.js';
import { checkLeftOut } from './left-out.js';
import { checkLinks } from './linked.js';
import { checkSubjects } from './subject.js';
import { checkTimes } from './times.js';

/** Returns the answer of a model, taken apart and compared with the policy and the facts; empty: it decides nothing. */
export function typedClaims(input: ReviewInput): CheckedClaim[] {
  const ground = answerGround(input);
  // If the rules decide the criterion, only their answer counts.
  if (ground === null || ruledAnswer(input, ground.result.id) !== null) return [];
  const parts = comparedParts(ground);
  return [{ id: CLAIM, text: ground.rationale, result: resultOf(parts), parts }];
}

/** Returns the parts of an answer with the results of their comparison. */
export function comparedParts(ground: AnswerGround): TypedClaim[] {
  return [
    ...checkLinks(ground),
    ...checkSubjects(ground),
    ...checkComputed(ground),
    ...checkTimes(ground),
    ...checkFacts(ground),
    ...checkLeftOut(ground),
    ...checkChanges(ground),
  ];
}

function resultOf(parts: readonly TypedClaim[]): ComparisonResult {
  if (parts.some(({ result }) => result === 'contradicted')) return 'contradicted';
  return parts.some(({ result }) => result === 'holds') ? 'holds' : 'not_checked';
}
