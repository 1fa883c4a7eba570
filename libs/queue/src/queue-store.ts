import { withTimeout, CasefileError } from '@casefile/contracts';
import type { BackendFactory, IQueueBackend, Job, JobProgress, Queue, Worker } from 'bullmq';

/** A queue, a worker and a job on either store. */
export type BullQueue = Queue<unknown, unknown, string, unknown, unknown, string, IQueueBackend, object>;
export type BullWorker = Worker<unknown, unknown, string, IQueueBackend, JobProgress, object>;
export type BullJob = Job<unknown, unknown, string>;

/** A process's connection to the queue store, shared by all its queues and workers. */
export interface QueueStore {
  readonly kind: 'redis' | 'postgres';
  /** Factory for the backends of BullMQ's queues and workers. */
  readonly backend: BackendFactory<IQueueBackend, object>;
  /** Value of BullMQ's option `connection`. The backend has its own connection. */
  readonly handle: object;
  /** Logs errors that no caller waits for: those of connections, queues and workers. */
  readonly report: (error: Error) => void;
  /** Prefix of every key on Redis. */
  readonly prefix: string;
  /** Returns why the store is unavailable, so that callers need not wait; null: it is not known to be. */
  unavailable(): string | null;
  /** Makes one round trip. */
  probe(): Promise<void>;
  /** Closes the store. Call it after the queues and workers are closed. */
  close(): Promise<void>;
}

/** Waits for `work` up to a time limit. @throws CasefileError `queue_unavailable`. */
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
