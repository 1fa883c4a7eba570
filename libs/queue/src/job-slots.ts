import { CasefileError, type Logger } from '@casefile/contracts';
import { Worker, type Telemetry, type RateLimiterOptions } from 'bullmq';
import type { LaneGroup } from '@casefile/contracts';
import { TWO_WORKERS_FROM, WORKER_OPTIONS, LIVE_SHARE } from './queue-options.js';
import type { BullJob, BullWorker, QueueStore } from './queue-store.js';
import { processSharedUnits } from './shared-jobs.js';
import { TOOK_OVER } from './stalled-watch.js';
import { throttledKeys } from './throttled-errors.js';

/** Times of WORKER_OPTIONS that tests shorten. */
export type WorkerTimes = Record<'lockDuration' | 'stalledInterval', number>;

/** Processes one job. `signal` requests a stop. The result then does not count. */
type JobProcessor = (job: BullJob, token: string, signal: AbortSignal) => Promise<unknown>;

interface JobSlotsOptions {
  store: QueueStore;
  queue: string;
  group: LaneGroup;
  /** Concurrent jobs in this process. */
  slots: number;
  /** Rate of the whole topic, over all processes. */
  perSecond?: number;
  /** Whether one worker suffices: its jobs are slow, such as those of tools. Default: false. */
  isSlow?: boolean;
  /** Whether the topic has no other queue that shares the rate. */
  isAlone: boolean;
  telemetry?: Telemetry;
  log: Logger;
  workerOptions?: Partial<WorkerTimes>;
  process: JobProcessor;
}

/** Interval in which equal failures of a queue are logged once. Milliseconds. */
const SAME_FAILURE_MS = 60_000;

/** Counts of one queue since the start. */
export interface SlotCounts {
  fetched: number;
  completed: number;
  failed: number;
  /** Jobs of dead workers that were found here. */
  stalled: number;
  /** Jobs that another worker may also be doing. */
  lockLost: number;
}

/** One queue's workers in this process. */
export class JobSlots {
  readonly queue: string;
  readonly group: LaneGroup;
  readonly counts: SlotCounts = { fetched: 0, completed: 0, failed: 0, stalled: 0, lockLost: 0 };
  /** Time of the last fetch, or of the start. Milliseconds since the epoch. */
  lastFetch = Date.now();
  private jobs = 0;
  /** Time of the last note that this queue has jobs here. */
  private notedAt = -Infinity;
  private isFull = false;
  private isClosed = false;
  private readonly turns: Turns;
  private readonly letThrough = throttledKeys(SAME_FAILURE_MS);
  private readonly workers: { worker: BullWorker; share: number }[];

  constructor(private readonly options: JobSlotsOptions) {
    this.queue = options.queue;
    this.group = options.group;
    const two = options.slots >= TWO_WORKERS_FROM && options.isSlow !== true;
    const shares = two ? [Math.ceil(options.slots / 2), Math.floor(options.slots / 2)] : [options.slots];
    this.turns = new Turns(options.slots, () => this.fetchWhileFree());
    // Only one worker checks for jobs of dead workers, for the whole queue, unless the process does so for all.
    this.workers = shares.map((share, i) => ({
      worker: this.openWorker(share, options.store.stalled !== null || i > 0),
      share,
    }));
  }

  /** Number of running jobs, or of their units if that is more. */
  get busy(): number {
    return Math.max(this.jobs, this.turns.inHand);
  }

  /** Processes the units of a job, each in a slot. @throws the error of one of them. */
  async doAll(works: readonly (() => Promise<unknown>)[]): Promise<void> {
    const [only] = works;
    if (works.length === 1 && only !== undefined) return void (await this.turns.run(only));
    const { queue } = this;
    await processSharedUnits(
      works,
      (work) => this.turns.run(work),
      (error) =>
        this.options.log.warn({ queue, err: error }, 'part of a shared job failed after it had ended'),
    );
  }

  /**
   * Returns whether nothing was fetched for `ms` although slots are free and no rate limit applies. The
   * caller checks whether work waits.
   */
  isSilent(ms: number): boolean {
    return (
      this.options.perSecond === undefined &&
      this.busy < this.options.slots &&
      Date.now() - this.lastFetch > ms
    );
  }

  /** Stops fetching. Running jobs continue. */
  async pause(): Promise<void> {
    await Promise.all(this.workers.map(({ worker }) => worker.pause(true)));
  }

  /** Asks the running jobs to stop. */
  abort(reason: string): void {
    for (const { worker } of this.workers) worker.cancelAllJobs(reason);
  }

  /** @param force Do not wait for running jobs: their locks expire and other workers take them. */
  async close(force: boolean): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.workers.map(({ worker }) => worker.close(force)));
  }

  private openWorker(concurrency: number, skipStalledCheck: boolean): BullWorker {
    const { store, queue, group, perSecond, isAlone, telemetry, workerOptions } = this.options;
    const worker: BullWorker = new Worker(
      queue,
      (job: BullJob, token?: string, signal?: AbortSignal) => this.run(job, token, signal),
      {
        ...WORKER_OPTIONS,
        ...workerOptions,
        autorun: false,
        connection: store.handle,
        concurrency,
        skipStalledCheck,
        telemetry,
        ...(store.prefix && { prefix: store.prefix }),
        ...(perSecond !== undefined && { limiter: limiterFor(perSecond, group, isAlone) }),
      },
      store.backend,
    );
    worker.on('error', store.report);
    // A store that is not ours, or that cannot work, keeps its jobs.
    void store.proven.then(() => (this.isClosed ? undefined : worker.run())).catch(store.report);
    worker.on('active', () => this.sawFetch());
    worker.on('completed', () => void (this.counts.completed += 1));
    worker.on('failed', (job, error) => this.sawFailure(job, error));
    worker.on('stalled', (jobId) => this.sawStalled(jobId));
    worker.on('lockRenewalFailed', (jobIds) => this.sawLockLost(worker, jobIds));
    return worker;
  }

  private async run(job: BullJob, token = '', signal = new AbortController().signal): Promise<unknown> {
    this.jobs += 1;
    this.noteBusy();
    try {
      return await this.options.process(job, token, signal);
    } finally {
      this.jobs -= 1;
    }
  }

  // A dead process is searched for where it had jobs. While it has some, `StalledWatch` repeats the note.
  private noteBusy(): void {
    const now = performance.now();
    if (now - this.notedAt < WORKER_OPTIONS.stalledInterval) return;
    this.notedAt = now;
    const { store, queue } = this.options;
    store.stalled?.note([queue]).catch(store.report);
  }

  // BullMQ counts jobs, but a shared job fills several slots.
  private fetchWhileFree(): void {
    const isFull = this.turns.inHand >= this.options.slots;
    if (isFull === this.isFull) return;
    this.isFull = isFull;
    for (const { worker, share } of this.workers) {
      worker.concurrency = isFull ? 1 : share;
      if (!isFull) wake(worker);
    }
  }

  private sawFetch(): void {
    this.counts.fetched += 1;
    this.lastFetch = Date.now();
  }

  private sawFailure(job: BullJob | undefined, error: Error): void {
    this.counts.failed += 1;
    // Any client of the queue can determine the text of an invalid job's error. The text therefore does not
    // make a failure a different one.
    const { cause = error } = error;
    const heldBack = this.letThrough(cause instanceof CasefileError ? cause.reasonCode : error.message);
    if (heldBack === null) return;
    const facts = { queue: this.queue, jobId: job?.id, attempt: job?.attemptsMade, heldBack, err: error };
    this.options.log.warn(facts, 'job failed');
  }

  /** Counts and reports a job of a dead worker. */
  sawStalled(jobId: string): void {
    this.counts.stalled += 1;
    this.options.log.warn({ queue: this.queue, jobId }, TOOK_OVER);
  }

  private sawLockLost(worker: BullWorker, jobIds: string[]): void {
    this.counts.lockLost += jobIds.length;
    for (const jobId of jobIds) worker.cancelJob(jobId, 'lock lost');
    this.options.log.warn({ queue: this.queue, jobIds }, 'lost the lock of jobs');
  }
}

/**
 * Makes a worker fetch again, as after its `resume()`. A full worker waits for the end of a job even when
 * slots are free again.
 */
function wake(worker: BullWorker): void {
  const { mainLoopQueue } = worker as unknown as {
    mainLoopQueue: { add(done: Promise<void>): void } | null;
  };
  mainLoopQueue?.add(Promise.resolve());
}

/**
 * Returns BullMQ's limiter for one of a topic's two queues. The limiter counts over all workers of one queue,
 * so the rate is divided between the two queues. Small windows spread calls instead of sending all calls of a
 * second together.
 * @param perSecond Rate for the whole topic; may be far below 1.
 */
export function limiterFor(perSecond: number, group: LaneGroup, isAlone: boolean): RateLimiterOptions {
  const share = isAlone ? 1 : group === 'live' ? LIVE_SHARE : 1 - LIVE_SHARE;
  const rate = perSecond * share;
  const max = Math.max(1, Math.floor(rate / 10));
  return { max, duration: Math.ceil((max * 1_000) / rate) };
}

/** Limits concurrent work. Waiting work starts in the order of arrival. */
export class Turns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /**
   * @param limit Most concurrent pieces of work.
   * @param changed Called after each arrival and each end.
   */
  constructor(
    private readonly limit: number,
    private readonly changed: () => void = () => undefined,
  ) {}

  /** Number of running and waiting pieces of work. */
  get inHand(): number {
    return this.running + this.waiting.length;
  }

  /** Runs `work` when it is its turn, and returns its result. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const turn =
      this.running < this.limit ? null : new Promise<void>((resolve) => this.waiting.push(resolve));
    if (turn === null) this.running += 1;
    this.changed();
    // Work that ends passes its place to the next, so `running` stays the same.
    if (turn !== null) await turn;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
      this.changed();
    }
  }
}
