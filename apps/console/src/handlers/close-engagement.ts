import { CasefileError, z, type EngagementDetails } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const closeEngagementInput = { params: z.object({ engagementId: z.string().max(200) }) };

/** Closes an engagement session; closing it again changes nothing. S3-46. */
export const closeEngagement: Handler<typeof closeEngagementInput, EngagementDetails> = async (
  { store },
  { params },
) => {
  const closed = await store.engagements.close(params.engagementId);
  if (closed === null) throw new CasefileError('not_found', 'no engagement session has this id');
  return closed;
};
