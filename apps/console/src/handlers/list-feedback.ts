import { z, type FeedbackList } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const listFeedbackInput = { params: z.object({ caseId: z.string().max(100) }) };

/** All that people said of a case, the newest first. */
export const listFeedback: Handler<typeof listFeedbackInput, FeedbackList> = async (
  { store },
  { params },
) => ({
  feedback: await store.feedback.of(params.caseId),
});
