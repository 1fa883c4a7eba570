import type { Logger } from '@casefile/contracts';
import { Queue, type Telemetry } from 'bullmq';
import { STREAMS } from './queue-options.js';
import type { BullQueue, QueueStore } from './queue-store.js';
import { throttledErrors } from './throttled-errors.js';

/** Opens a queue for adding and looking. */
export function openQueue(store: QueueStore, name: string, log: Logger, telemetry?: Telemetry): BullQueue {
  const options = {
    connection: store.handle,
    streams: STREAMS,
    telemetry,
    ...(store.prefix && { prefix: store.prefix }),
  };
  const queue: BullQueue = new Queue(name, options, store.backend);
  queue.on('error', throttledErrors(log, `queue ${name}`));
  return queue;
}
