import {
  asCasefileError,
  cachedFor,
  CasefileError,
  withTimeout,
  type Condition,
  type Queue,
  type QueueDepth,
} from '@casefile/contracts';
import { queueOutCondition } from './stores-out.js';
import type { StoreWatch } from './store-watch.js';

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
    // The probe of the watch finds out when the outage is over.
    const known = watch.latest();
    if (known !== null) return { depths: null, outage: queueOutCondition(known) };
    const read = () => queue.depths();
    const [probed, depths] = await Promise.all([
      // Asked at the same time, because it names the cause.
      watch.check(),
      withTimeout(READ_WITHIN_MS, new AbortController().signal, read).catch(unavailable),
    ]);
    if (!(depths instanceof CasefileError)) return { depths, outage: null };
    return { depths: null, outage: queueOutCondition(probed ?? watch.failed(depths)) };
  });
}

function unavailable(error: unknown): CasefileError {
  const { reasonCode, message } = asCasefileError(error);
  const why = reasonCode === 'queue_unavailable' ? message : `The queue store is not available: ${message}`;
  return new CasefileError('queue_unavailable', why);
}
