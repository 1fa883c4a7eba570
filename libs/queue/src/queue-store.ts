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
  /** Returns why this form of store can never work, with the remedy; null: it is not known to be wrong. */
  unusable(): string | null;
  /** Resolves when the store was found to have what queues need. Workers fetch no job before. */
  readonly proven: Promise<void>;
  /** Returns the policy by which the store deletes keys when its memory is full; null: it deletes none. */
  evictionPolicy(): string | null;
  /** Search for jobs of dead workers; null: BullMQ's own search in each queue is cheap enough. */
  readonly stalled: StalledJobs | null;
  /** See `Queue`. */
  claim(name: string, forMs: number): Promise<boolean>;
  /** Makes one round trip. */
  probe(): Promise<void>;
  /** Closes the store. Call it after the queues and workers are closed. */
  close(): Promise<void>;
}

/** Queues in which workers have jobs, and the jobs of dead workers. */
export interface StalledJobs {
  /** Notes that a worker has jobs in these queues. */
  note(queues: readonly string[]): Promise<void>;
  /** Returns whether this caller is the one of all processes that searches in this interval. */
  isTurn(everyMs: number): Promise<boolean>;
  /** Returns the queues that any process noted within the last minute. */
  noted(): Promise<string[]>;
  /** Frees the jobs of dead workers in a queue. Returns their ids. */
  free(queue: string): Promise<string[]>;
}

/**
 * Waits for `work` up to a time limit. @param what Names the work in the error; null: it only probes the store.
 * @throws CasefileError `queue_unavailable`.
 */
export function withinTime<T>(timeoutMs: number, work: Promise<T>, what: string | null): Promise<T> {
  return withTimeout(timeoutMs, new AbortController().signal, () => work, {
    whenOver: () => queueUnavailable(what, `no answer in ${timeoutMs} ms`),
  });
}

/** Returns the error of work that needs a store of a form that can never work. @param why Cause and remedy. */
export function queueUnusable(why: string): CasefileError {
  return new CasefileError('queue_unusable', `The queues cannot work on the store of QUEUE_URL: ${why}`);
}

/** Returns the error of work that needs the store. @param what As in `withinTime`. */
export function queueUnavailable(what: string | null, why: string, cause?: unknown): CasefileError {
  const place = what === null ? '' : `${what}: `;
  return new CasefileError('queue_unavailable', `The queue store is not available: ${place}${why}`, {
    retryable: true,
    cause,
  });
}
