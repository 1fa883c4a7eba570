import { Queue, type Telemetry } from 'bullmq';
import { STREAMS } from './queue-options.js';
import type { BullJob, BullQueue, QueueStore } from './queue-store.js';
import { BullMQOtel } from 'bullmq-otel';

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

/**
 * The `most` jobs that wait longest, of those that have no priority. Redis hands out a page from the oldest on;
 * Postgres counts pages from the newest, whatever order is asked for within one.
 * @param waiting how many there are.
 */
export function oldestWaiting(
  { kind }: Pick<QueueStore, 'kind'>,
  queue: BullQueue,
  waiting: number,
  most: number,
): Promise<BullJob[]> {
  const count = Math.min(waiting, most);
  if (count <= 0) return Promise.resolve([]);
  const first = kind === 'redis' ? 0 : waiting - count;
  return queue.getJobs(['waiting'], first, first + count - 1, true);
}

/** BullMQ's link to OpenTelemetry, or nothing. */
export function bullTraces(tracerName: string | undefined): Telemetry | undefined {
  return tracerName === undefined ? undefined : new BullMQOtel({ tracerName });
}

/**
 * Where the caller is in its trace, to be sent with its jobs. Jobs of several callers leave in one
 * `addBulk`: without this they would all belong to the trace of whoever sent it.
 */
export function traceHere(traces: Telemetry | undefined): { telemetry?: { metadata: string } } {
  if (traces === undefined) return {};
  return { telemetry: { metadata: traces.contextManager.getMetadata(traces.contextManager.active()) } };
}
