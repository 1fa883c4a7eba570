import { Queue, type Telemetry } from 'bullmq';
import { STREAMS } from './queue-options.js';
import type { BullQueue, QueueStore } from './queue-store.js';

/** Opens a queue for adding and looking. */
export function openQueue(store: QueueStore, name: string, telemetry?: Telemetry): BullQueue {
  const options = {
    connection: store.handle,
    streams: STREAMS,
    telemetry,
    ...(store.prefix && { prefix: store.prefix }),
  };
  const queue: BullQueue = new Queue(name, options, store.backend);
  queue.on('error', store.report);
  return queue;
}
