import { withTimeout, CasefileError } from '@casefile/contracts';
import type { BackendFactory, IQueueBackend, Job, JobProgress, Queue, Worker } from 'bullmq';

/** A queue and a worker on either store. */
export type BullQueue = Queue<unknown, unknown, string, unknown, unknown, string, IQueueBackend, object>;
export type BullWorker = Worker<unknown, unknown, string, IQueueBackend, JobProgress, object>;
export type BullJob = Job<unknown, unknown, string>;

/** A process's connection to the queue store, shared by all its queues and workers. */
export interface QueueStore {
  readonly kind: 'redis' | 'postgres';
  /** What BullMQ makes its queues and workers on. */
  readonly backend: BackendFactory<IQueueBackend, object>;
  /** What BullMQ wants as `connection`; the backend knows its own. */
  readonly handle: object;
  /** Takes errors that nobody waits for: of connections, queues and workers. */
  readonly report: (error: Error) => void;
  /** Start of every key, on Redis. */
  readonly prefix: string;
  /** Known to be away at the moment: nothing is worth waiting for. */
  isAway(): boolean;
  /** One round trip. */
  probe(): Promise<void>;
  /** After the queues and workers. */
  close(): Promise<void>;
}

/** Waits for `work`, but not longer. @throws CasefileError `queue_unavailable`. */
export function withinTime<T>(timeoutMs: number, work: Promise<T>, what: string): Promise<T> {
  return withTimeout(timeoutMs, new AbortController().signal, () => work, {
    whenOver: () => queueUnavailable(`${what}: no answer in ${timeoutMs} ms`),
  });
}

export function queueUnavailable(why: string, cause?: unknown): CasefileError {
  return new CasefileError('queue_unavailable', `The queue store is not available: ${why}`, {
    retryable: true,
    cause,
  });
}
