import { CasefileError, z, type Batch } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const getBatchInput = { params: z.object({ batchId: z.string().max(100) }) };

/** One batch, and how far it is. @throws CasefileError `not_found`. */
export const getBatch: Handler<typeof getBatchInput, Batch> = async ({ store }, { params }) => {
  const found = await store.batches.get(params.batchId);
  if (found === null) throw noBatch(params.batchId);
  return found;
};

/** That there is no batch of this id. */
export function noBatch(id: string): CasefileError {
  return new CasefileError('not_found', `no batch has the id "${id}"`);
}
