import { CasefileError, z, type FeedbackList } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const listFeedbackInput = {
  params: z.object({ caseId: z.string().max(100) }),
  query: z.strictObject({
    cursor: z.string().max(500).optional(),
    limit: z.coerce.number().int().min(1).max(100).default(50),
  }),
};

/** Returns a page of what people said of a case, the newest first. @throws CasefileError `unknown_case`. */
export const listFeedback: Handler<typeof listFeedbackInput, FeedbackList> = async (
  { store },
  { params: { caseId }, query: { cursor, limit } },
) => {
  const found = await store.feedback.find({ caseId, limit, ...(cursor === undefined ? {} : { cursor }) });
  if (found === null) throw new CasefileError('unknown_case', `no case has the id "${caseId}"`);
  return found;
};
