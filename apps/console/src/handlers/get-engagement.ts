import { CasefileError, z, type EngagementDetails } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const getEngagementInput = { params: z.object({ engagementId: z.string().max(200) }) };

/** One engagement session with its newest messages. S3-46. */
export const getEngagement: Handler<typeof getEngagementInput, EngagementDetails> = async (
  { store },
  { params },
) => {
  const found = await store.engagements.get(params.engagementId);
  if (found === null) throw new CasefileError('not_found', 'no engagement session has this id');
  return found;
};
