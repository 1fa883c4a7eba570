import { Queue, type Telemetry } from 'bullmq';
import { STREAMS } from './queue-options.js';
import type { BullJob, BullQueue, QueueStore } from './queue-store.js';
import { BullMQOtel } from 'bullmq-otel';

/** Opens a queue for adding and reading. */
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
 * Returns the `most` jobs without a priority that have waited longest. Redis returns pages from the oldest
 * job on. Postgres counts pages from the newest, whatever order is requested within a page.
 * @param waiting number of waiting jobs.
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

/** Returns BullMQ's link to OpenTelemetry, or undefined without a tracer. */
export function bullTraces(tracerName: string | undefined): Telemetry | undefined {
  return tracerName === undefined ? undefined : new BullMQOtel({ tracerName });
}

/**
 * Returns the caller's place in its trace, to be sent with its jobs. One `addBulk` has the jobs of several
 * callers. Without this, all would belong to the trace of the caller that sends them.
 */
export function traceHere(traces: Telemetry | undefined): { telemetry?: { metadata: string } } {
  if (traces === undefined) return {};
  return { telemetry: { metadata: traces.contextManager.getMetadata(traces.contextManager.active()) } };
}
