import { Queue, SpanKind, type Telemetry } from 'bullmq';
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

/** Span that is not recorded. What runs within it belongs to the span around it. */
const NO_SPAN: ReturnType<Telemetry['tracer']['startSpan']> = {
  setSpanOnContext: (context: unknown) => context,
  setAttribute: () => undefined,
  setAttributes: () => undefined,
  addEvent: () => undefined,
  recordException: () => undefined,
  end: () => undefined,
};

/**
 * Returns BullMQ's link to OpenTelemetry, or undefined without a tracer. Only jobs that are added or processed get
 * spans. Those of BullMQ's housekeeping, such as the search for jobs of dead workers, were 50 per second without work.
 */
export function bullTraces(tracerName: string | undefined): Telemetry | undefined {
  if (tracerName === undefined) return undefined;
  const { tracer, contextManager, meter } = new BullMQOtel({ tracerName });
  return {
    contextManager,
    meter,
    tracer: {
      startSpan: (name, options, context) =>
        options?.kind === SpanKind.INTERNAL ? NO_SPAN : tracer.startSpan(name, options, context),
    },
  };
}

/**
 * Returns the caller's place in its trace, to be sent with its jobs. One `addBulk` has the jobs of several
 * callers. Without this, all would belong to the trace of the caller that sends them.
 */
export function traceHere(traces: Telemetry | undefined): { telemetry?: { metadata: string } } {
  if (traces === undefined) return {};
  return { telemetry: { metadata: traces.contextManager.getMetadata(traces.contextManager.active()) } };
}
