import { CasefileError, z, type Feedback } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const withdrawFeedbackInput = {
  params: z.object({ caseId: z.string().max(100), feedbackId: z.string().max(100) }),
};

/** Removes a label of a case; the event log keeps it. @throws CasefileError `not_found`. */
export const withdrawFeedback: Handler<typeof withdrawFeedbackInput, Feedback> = async (
  { store },
  { params: { caseId, feedbackId } },
) => {
  const withdrawn = await store.feedback.withdraw(caseId, feedbackId);
  if (withdrawn === null) throw new CasefileError('not_found', 'the case has no label with this id');
  return withdrawn;
};
