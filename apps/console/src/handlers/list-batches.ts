import { z, type BatchList } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const listBatchesInput = {
  query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) }),
};

/** How far back degraded verdicts are offered to be judged again. */
const OFFERED_MS = 24 * 3_600_000;

/** Batches, the newest first, and how many verdicts of a day were degraded. */
export const listBatches: Handler<typeof listBatchesInput, BatchList> = async ({ store, now }, { query }) => {
  const since = new Date(now() - OFFERED_MS).toISOString();
  const [batches, count, states] = await Promise.all([
    store.batches.list(query.limit),
    store.batches.degradedSince(since),
    store.providers.states(),
  ]);
  const providersOut = states.filter(({ state }) => state !== 'closed').map(({ provider }) => provider);
  return { batches, degraded: { since, count, providersOut } };
};
