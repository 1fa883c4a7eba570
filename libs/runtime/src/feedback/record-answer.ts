import type { NewReviewAct, Reviews } from '@casefile/contracts';
import { emitLabel } from '@casefile/telemetry';

/**
 * Records an act on a verdict. An answer is also emitted as an evaluation, `right` or `wrong`, unless the act
 * repeats an earlier one.
 */
export async function recordAnswer(
  reviews: Pick<Reviews, 'act'>,
  act: NewReviewAct,
): Promise<{ repeated: boolean }> {
  const recorded = await reviews.act(act);
  const { caseId, runId } = act;
  const isAnswer = act.act === 'agree' || act.act === 'correct';
  if (isAnswer && runId !== undefined && !recorded.repeated) {
    const isRight = act.act === 'agree';
    const evaluation = { name: 'label', label: isRight ? 'right' : 'wrong', score: isRight ? 1 : 0 };
    emitLabel(evaluation, { caseId, runId });
  }
  return recorded;
}
