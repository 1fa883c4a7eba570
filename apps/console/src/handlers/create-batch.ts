import { createBatchSchema, type CreatedBatch } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const createBatchInput = { body: createBatchSchema };

/** Has cases judged again together; nothing of it goes out before it is applied. S4-62. */
export const createBatch: Handler<typeof createBatchInput, CreatedBatch> = async ({ rerun }, { body }) =>
  rerun.createBatch(body);
