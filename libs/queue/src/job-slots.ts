import { CasefileError, type Logger } from '@casefile/contracts';
import { Worker, type Telemetry, type RateLimiterOptions } from 'bullmq';
import type { LaneGroup } from './queue-names.js';
import { TWO_WORKERS_FROM, WORKER_OPTIONS, LIVE_SHARE } from './queue-options.js';
import type { BullJob, BullWorker, QueueStore } from './queue-store.js';
import { doShared } from './shared-jobs.js';
import { throttledKeys } from './throttled-errors.js';

/** Times of WORKER_OPTIONS that tests shorten. */
export type WorkerTimes = Record<'lockDuration' | 'stalledInterval', number>;

/** Does one job. `signal`: stop, the result will not count. */
type JobProcessor = (job: BullJob, token: string, signal: AbortSignal) => Promise<unknown>;

interface JobSlotsOptions {
  store: QueueStore;
  queue: string;
  group: LaneGroup;
  /** Jobs at once in this process. */
  slots: number;
  /** For the whole topic, over all processes. */
  perSecond?: number;
  /** The topic has no other queue that shares the rate. */
  isAlone: boolean;
  telemetry?: Telemetry;
  log: Logger;
  workerOptions?: Partial<WorkerTimes>;
  process: JobProcessor;
}

/** Failures of a queue with the same message are logged once in this time. Milliseconds. */
const SAME_FAILURE_MS = 60_000;

/** What happened on one queue since the start. */
export interface SlotCounts {
  fetched: number;
  completed: number;
  failed: number;
  /** Jobs of dead workers that were found here. */
  stalled: number;
  /** Jobs that somebody else may work on too. */
  lockLost: number;
}

/** One queue's workers in this process. */
export class JobSlots {
  readonly queue: string;
  readonly group: LaneGroup;
  readonly counts: SlotCounts = { fetched: 0, completed: 0, failed: 0, stalled: 0, lockLost: 0 };
  /** When a job was last fetched, or the start. Milliseconds since the epoch. */
  lastFetch = Date.now();
  private jobs = 0;
  private isFull = false;
  private readonly turns: Turns;
  private readonly letThrough = throttledKeys(SAME_FAILURE_MS);
  private readonly workers: { worker: BullWorker; share: number }[];

  constructor(private readonly options: JobSlotsOptions) {
    this.queue = options.queue;
    this.group = options.group;
    const two = options.slots >= TWO_WORKERS_FROM;
    const shares = two ? [Math.ceil(options.slots / 2), Math.floor(options.slots / 2)] : [options.slots];
    this.turns = new Turns(options.slots, () => this.fetchWhileFree());
    // One of them looks for the jobs of dead workers, for the whole queue.
    this.workers = shares.map((share, i) => ({ worker: this.openWorker(share, i > 0), share }));
  }

  /** How much is in hand: jobs, or what they carry where that is more. */
  get busy(): number {
    return Math.max(this.jobs, this.turns.inHand);
  }

  /** Does what a job carries, each piece in a slot. @throws what one of them failed with. */
  async doAll(works: readonly (() => Promise<unknown>)[]): Promise<void> {
    const [only] = works;
    if (works.length === 1 && only !== undefined) return void (await this.turns.run(only));
    const { queue } = this;
    await doShared(
      works,
      (work) => this.turns.run(work),
      (error) =>
        this.options.log.warn({ queue, err: error }, 'part of a shared job failed after it had ended'),
    );
  }

  /** Free slots, no rate limit, and yet nothing was fetched for `ms`: whether work waits is for the caller to see. */
  isSilent(ms: number): boolean {
    return (
      this.options.perSecond === undefined &&
      this.busy < this.options.slots &&
      Date.now() - this.lastFetch > ms
    );
  }

  /** Fetches nothing more; jobs in hand go on. */
  async pause(): Promise<void> {
    await Promise.all(this.workers.map(({ worker }) => worker.pause(true)));
  }

  /** Tells the jobs in hand to stop. */
  abort(reason: string): void {
    for (const { worker } of this.workers) worker.cancelAllJobs(reason);
  }

  /** @param force do not wait for jobs in hand: their locks run out and others take them. */
  async close(force: boolean): Promise<void> {
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
    worker.on('active', () => this.sawFetch());
    worker.on('completed', () => void (this.counts.completed += 1));
    worker.on('failed', (job, error) => this.sawFailure(job, error));
    worker.on('stalled', (jobId) => this.sawStalled(jobId));
    worker.on('lockRenewalFailed', (jobIds) => this.sawLockLost(worker, jobIds));
    return worker;
  }

  private async run(job: BullJob, token = '', signal = new AbortController().signal): Promise<unknown> {
    this.jobs += 1;
    try {
      return await this.options.process(job, token, signal);
    } finally {
      this.jobs -= 1;
    }
  }

  // BullMQ counts jobs, and a shared one fills several slots.
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
    // Anyone who reaches the queue writes what an invalid job says, so that its text does not count as another failure.
    const { cause = error } = error;
    const heldBack = this.letThrough(cause instanceof CasefileError ? cause.reasonCode : error.message);
    if (heldBack === null) return;
    const facts = { queue: this.queue, jobId: job?.id, attempt: job?.attemptsMade, heldBack, err: error };
    this.options.log.warn(facts, 'job failed');
  }

  private sawStalled(jobId: string): void {
    this.counts.stalled += 1;
    this.options.log.warn({ queue: this.queue, jobId }, "took over a dead worker's job");
  }

  private sawLockLost(worker: BullWorker, jobIds: string[]): void {
    this.counts.lockLost += jobIds.length;
    for (const jobId of jobIds) worker.cancelJob(jobId, 'lock lost');
    this.options.log.warn({ queue: this.queue, jobIds }, 'lost the lock of jobs');
  }
}

/** A worker that was full waits for the end of what it has; with slots free again it is to fetch, as after its `resume()`. */
function wake(worker: BullWorker): void {
  const { mainLoopQueue } = worker as unknown as {
    mainLoopQueue: { add(done: Promise<void>): void } | null;
  };
  mainLoopQueue?.add(Promise.resolve());
}

/**
 * BullMQ's limiter for one of a topic's two queues. It counts over all workers of a queue, wherever they
 * run, but each queue by itself: so the rate is divided between them. Small windows keep calls apart
 * instead of letting a second's worth go at once.
 * @param perSecond for the topic as a whole; may be far below 1.
 */
export function limiterFor(perSecond: number, group: LaneGroup, isAlone: boolean): RateLimiterOptions {
  const share = isAlone ? 1 : group === 'live' ? LIVE_SHARE : 1 - LIVE_SHARE;
  const rate = perSecond * share;
  const max = Math.max(1, Math.floor(rate / 10));
  return { max, duration: Math.ceil((max * 1_000) / rate) };
}

/** Lets so many pieces of work run at once; the others wait, in the order in which they came. */
export class Turns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /**
   * @param limit how many at once.
   * @param changed told after each that came or ended.
   */
  constructor(
    private readonly limit: number,
    private readonly changed: () => void = () => undefined,
  ) {}

  /** How many run or wait. */
  get inHand(): number {
    return this.running + this.waiting.length;
  }

  /** Runs `work` when it is its turn; ends as it does. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const turn =
      this.running < this.limit ? null : new Promise<void>((resolve) => this.waiting.push(resolve));
    if (turn === null) this.running += 1;
    this.changed();
    // Whoever ends hands its place on: `running` stays as it is.
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
