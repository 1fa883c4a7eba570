import { BATCH_ACTS, CasefileError, z, type Batch } from '@casefile/contracts';
import type { Handler } from '../http/route.js';
import { noBatch } from './get-batch.js';

export const actOnBatchInput = {
  params: z.object({ batchId: z.string().max(100), act: z.enum(BATCH_ACTS) }),
  body: z
    .strictObject({ budgetUsd: z.number().positive().optional().describe('With resume: what it may cost.') })
    .optional(),
};

/** Pauses, resumes, applies or discards a batch. @throws CasefileError `not_found`, `conflict`. */
export const actOnBatch: Handler<typeof actOnBatchInput, Batch> = async ({ store }, { params, body }) => {
  const { batchId, act } = params;
  const done = await store.batches.act(batchId, act, body?.budgetUsd);
  const batch = await store.batches.get(batchId);
  if (done === null || batch === null) throw noBatch(batchId);
  if (!done) throw new CasefileError('conflict', `the batch is ${batch.state}: it cannot ${act} now`);
  return batch;
};
