import { z, type BatchMembers } from '@casefile/contracts';
import type { Handler } from '../http/route.js';
import { noBatch } from './get-batch.js';

export const listBatchMembersInput = {
  params: z.object({ batchId: z.string().max(100) }),
  query: z.object({
    limit: z.coerce.number().int().min(1).max(1_000).default(100),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  }),
};

/** Returns the cases of a batch: the flipped ones first, then those without a verdict. @throws CasefileError `not_found`. */
export const listBatchMembers: Handler<typeof listBatchMembersInput, BatchMembers> = async (
  { store },
  { params, query },
) => {
  const found = await store.batches.members(params.batchId, query.limit, query.offset);
  // A batch has at least one case.
  if (found.total === 0 && (await store.batches.get(params.batchId)) === null) throw noBatch(params.batchId);
  return found;
};
