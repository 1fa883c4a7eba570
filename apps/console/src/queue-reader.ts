import { cachedFor, withTimeout, type Condition, type Queue, type QueueDepth } from '@casefile/contracts';
import { queueOutCondition } from './conditions/stores-out.js';
import type { StoreWatch } from './conditions/store-watch.js';

/** Age at which depths are read again, in milliseconds. */
const FRESH_MS = 1_000;
/** Time limit of reading all depths, in milliseconds. */
const READ_WITHIN_MS = 2_000;

/** Depths of the queues, or the condition of a queue store that cannot be used. */
export type QueueReading =
  { depths: readonly QueueDepth[]; outage: null } | { depths: null; outage: Condition };

/** Returns a function that reads the depths of the queues at most once a second. It never throws. */
export function queueReader(
  queue: Pick<Queue, 'depths'>,
  watch: Pick<StoreWatch, 'check' | 'latest' | 'failed'>,
): () => Promise<QueueReading> {
  return cachedFor(FRESH_MS, async () => {
    const outage = watch.latest() === null ? null : await watch.check();
    if (outage !== null) return { depths: null, outage: queueOutCondition(outage) };
    try {
      const read = () => queue.depths();
      return { depths: await withTimeout(READ_WITHIN_MS, new AbortController().signal, read), outage: null };
    } catch (error) {
      return { depths: null, outage: queueOutCondition(watch.failed(error)) };
    }
  });
}
