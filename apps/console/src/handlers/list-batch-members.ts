import { z, type BatchMembers } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const listBatchMembersInput = {
  params: z.object({ batchId: z.string().max(100) }),
  query: z.object({
    limit: z.coerce.number().int().min(1).max(1_000).default(100),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  }),
};

/** The cases of a batch: the flipped ones first, then those without a verdict. */
export const listBatchMembers: Handler<typeof listBatchMembersInput, BatchMembers> = async (
  { store },
  { params, query },
) => store.batches.members(params.batchId, query.limit, query.offset);
