import type { Logger } from '@casefile/contracts';
import type { QueueStore } from './queue-store.js';
import { ALL_QUEUES_CHECKED_EVERY_MS, WORKER_OPTIONS } from './queue-options.js';

/** Queues of one process, as the watch sees them. */
export interface WatchedQueue {
  readonly queue: string;
  /** Number of running jobs. */
  readonly busy: number;
  /** Reports a job of a dead worker that is free again. */
  sawStalled(jobId: string): void;
}

/**
 * Frees the jobs of dead workers. BullMQ would ask for them every two seconds in every queue, also in queues without
 * a job: with fifty queues these were 175 commands per second. So workers note the queues in which they have jobs, and
 * one process at a time checks only those.
 */
export class StalledWatch {
  private timer: NodeJS.Timeout | undefined;
  private pass: Promise<void> = Promise.resolve();
  /** Time at which every queue is checked next. */
  private checksAllAt = 0;
  /**
   * A process that replaces a dead one checks every queue until the locks of the dead one have ended: a note may have
   * expired, or the process died before it could write one. A pass marks jobs, and a later one frees those without a lock.
   */
  private checksAllUntil: number | null = null;

  /**
   * @param everyMs Interval between two passes.
   * @param now Time in milliseconds from any start.
   */
  constructor(
    private readonly store: QueueStore,
    private readonly queues: readonly WatchedQueue[],
    private readonly log: Logger,
    private readonly everyMs: number = WORKER_OPTIONS.stalledInterval,
    private readonly now: () => number = () => performance.now(),
  ) {}

  start(): void {
    const next = () => {
      this.timer = setTimeout(() => {
        this.pass = this.tick()
          .catch(this.store.report)
          .finally(() => this.timer !== undefined && next());
      }, this.everyMs).unref();
    };
    void this.store.proven.then(next);
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.pass;
  }

  /** Notes the queues with running jobs. Then checks noted queues, unless another process did so in this interval. */
  async tick(): Promise<void> {
    const { stalled } = this.store;
    if (stalled === null || this.store.unavailable() !== null) return;
    const busy = this.queues.filter((one) => one.busy > 0).map(({ queue }) => queue);
    if (busy.length > 0) await stalled.note(busy);
    const now = this.now();
    this.checksAllUntil ??= now + WORKER_OPTIONS.lockDuration + 2 * this.everyMs;
    const checksAll = now >= this.checksAllAt || now < this.checksAllUntil;
    if (checksAll) this.checksAllAt = now + ALL_QUEUES_CHECKED_EVERY_MS;
    const noted = (await stalled.isTurn(this.everyMs)) ? await stalled.noted() : [];
    const own = checksAll ? this.queues.map(({ queue }) => queue) : [];
    await Promise.all([...new Set([...noted, ...own])].map((queue) => this.check(queue)));
  }

  private async check(queue: string): Promise<void> {
    const jobIds = (await this.store.stalled?.free(queue)) ?? [];
    const own = this.queues.find((one) => one.queue === queue);
    for (const jobId of jobIds)
      if (own === undefined) this.log.warn({ queue, jobId }, TOOK_OVER);
      else own.sawStalled(jobId);
  }
}

/** Message about a job of a dead worker. */
export const TOOK_OVER = "took over a dead worker's job";
