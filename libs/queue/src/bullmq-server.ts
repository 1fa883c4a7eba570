import { CasefileError, InvalidInput, type Logger } from '@casefile/contracts';
import {
  Server,
  type CustomTransportStrategy,
  type MessageHandler,
  type ReadPacket,
} from '@nestjs/microservices';
import type { Telemetry } from 'bullmq';
import { finalize, isObservable, lastValueFrom } from 'rxjs';
import { setTimeout as sleep } from 'node:timers/promises';
import { BullMqContext } from './bullmq-context.js';
import type { BulkGate } from './bulk-gate.js';
import { StalledWatch } from './stalled-watch.js';
import { JobSlots, type SlotCounts, type WorkerTimes } from './job-slots.js';
import { oldestWaiting, openQueue, bullTraces } from './open-queue.js';
import type { LaneGroup } from '@casefile/contracts';
import { isIntake, isTool, queuesOfTopic } from './queue-names.js';
import { ABORT_PATIENCE_MS } from './queue-options.js';
import type { BullJob, BullQueue, QueueStore } from './queue-store.js';
import { payloadsOf } from './shared-jobs.js';
import { closedOrLate, forGood, giveBack, putOff } from './job-ends.js';

/** Concurrent jobs of a topic in one process. */
export interface TopicLimits {
  live: number;
  /** Limit for the lanes `shadow`, `replay` and `batch` together; 0: this process fetches no jobs of them. */
  bulk: number;
  /** Jobs per second over all processes. Default: no limit. */
  perSecond?: number;
}

export interface BullMqServerOptions {
  connection: QueueStore;
  /** Limits by topic: a stage's name, `toolTopic(name)`, `alerts` or `feedback`. */
  topics: Record<string, TopicLimits>;
  log: Logger;
  /** Time for running jobs to end at `close`, in milliseconds. After it their signals are aborted. */
  graceMs: number;
  /** Name of the tracer. Default: no traces. */
  telemetryTracer?: string;
  /** Delays bulk jobs while live jobs wait; shared by the servers of a process. Default: no delay. */
  gate?: BulkGate;
  /** Overrides worker options, for tests that cannot wait for a lock to expire. */
  workerOptions?: Partial<WorkerTimes>;
}

/** What a service listens with. */
export interface QueueServer extends Server, CustomTransportStrategy {
  work: BullMqServer['work'];
  pause: BullMqServer['pause'];
  deafQueues: BullMqServer['deafQueues'];
}

const LOOK_EVERY_MS = 20;

/**
 * The workers of queues. Their topics have handlers by `work`, or by `@EventPattern<string>(topic)` on a controller.
 */
export class BullMqServer extends Server implements QueueServer {
  /** true: an error of a handler fails the job, so that BullMQ retries the job by its options. */
  override readonly propagatesEventHandlerErrors = true;
  private readonly traces: Telemetry | undefined;
  private slots: JobSlots[] = [];
  private stalled: StalledWatch | null = null;
  private readonly probedQueues = new Map<string, BullQueue>();
  private paused = false;
  private readonly stopping = new AbortController();
  private closing: Promise<void> | undefined;

  constructor(private readonly options: BullMqServerOptions) {
    super();
    this.traces = bullTraces(options.telemetryTracer);
  }

  /** Sets the handler of a topic, whose jobs `Queue.nudge` adds (`bull-queue.ts`). */
  work(topic: string, handler: (payload: unknown, context: BullMqContext) => Promise<void>): void {
    this.addHandler(topic, handler as MessageHandler, true);
  }

  /** Opens the workers. @throws CasefileError if a topic has two handlers, or no limits. */
  listen(callback: (error?: unknown) => void): void {
    try {
      for (const [topic, handler] of this.getHandlers()) checkHandler(topic, handler);
      this.slots = [...this.getHandlers().keys()].flatMap((topic) => this.openTopic(topic));
    } catch (error) {
      callback(error);
      return;
    }
    const { connection, log, workerOptions } = this.options;
    this.stalled = new StalledWatch(connection, this.slots, log, workerOptions?.stalledInterval);
    this.stalled.start();
    callback();
  }

  /** First step of an ordered shutdown: stops fetching, without waiting for running jobs. */
  async pause(): Promise<void> {
    this.paused = true;
    this.stopping.abort();
    await this.stalled?.stop();
    await Promise.all(this.slots.map((slots) => slots.pause()));
  }

  /** Waits for running jobs up to the grace period, aborts the rest, and releases the store. */
  close(): Promise<void> {
    this.closing ??= this.closeInOrder();
    return this.closing;
  }

  /** Counts per queue since the start. */
  counts(): Record<string, SlotCounts & { busy: number; lastFetch: number }> {
    return Object.fromEntries(
      this.slots.map(({ queue, counts, busy, lastFetch }) => [queue, { ...counts, busy, lastFetch }]),
    );
  }

  /**
   * Returns the queues whose workers fetch no jobs, although slots are free and jobs have waited for `ms`.
   * Empty while the store is unavailable.
   */
  async deafQueues(ms: number): Promise<string[]> {
    if (this.paused) return [];
    const silent = this.slots.filter((slots) => slots.isSilent(ms));
    const waiting = await Promise.all(silent.map(async ({ queue }) => this.hasOldWork(queue, ms)));
    return silent.filter((_slots, at) => waiting[at]).map(({ queue }) => queue);
  }

  override on(event: string): never {
    throw new CasefileError(
      'unsupported',
      `The queue's transport has no event ${event}: see counts() and deafQueues().`,
    );
  }

  unwrap<T>(): T {
    return this.slots as T;
  }

  private openTopic(topic: string): JobSlots[] {
    const limits = this.options.topics[topic];
    if (limits === undefined) {
      throw new CasefileError(
        'unknown_topic',
        `A handler waits for ${topic}, but the server has no limits for it. Add it to topics.`,
      );
    }
    const queues = queuesOfTopic(topic);
    return queues
      .filter(({ group }) => limits[group] > 0)
      .map(({ queue, group }) => this.openSlots(topic, queue, group, limits, queues.length === 1));
  }

  private openSlots(
    topic: string,
    queue: string,
    group: LaneGroup,
    limits: TopicLimits,
    isAlone: boolean,
  ): JobSlots {
    const { connection: store, log, workerOptions } = this.options;
    const { perSecond } = limits;
    const process = (job: BullJob, token: string, signal: AbortSignal) =>
      this.process(topic, slots, job, token, signal);
    const slots: JobSlots = new JobSlots({
      store,
      queue,
      group,
      slots: limits[group],
      perSecond,
      isSlow: isTool(topic),
      isAlone,
      telemetry: this.traces,
      log,
      workerOptions,
      process,
    });
    return slots;
  }

  private async process(
    topic: string,
    slots: JobSlots,
    job: BullJob,
    token: string,
    signal: AbortSignal,
  ): Promise<unknown> {
    const lane = slots.group;
    await this.yieldToLive(lane, job, signal);
    if (this.paused) return giveBack(job, token);
    signal.throwIfAborted();
    const { id: jobId = '', name, queueName: queue } = job;
    const context = new BullMqContext([
      { jobId, name, queue, topic, lane, attempt: job.attemptsMade + 1, stalls: job.stalledCounter, signal },
    ]);
    // A stage's job may list several units. Data from other systems is always one payload.
    const payloads = isIntake(topic) ? [job.data] : payloadsOf(job.data);
    let isUnfinished = false;
    let answer: unknown;
    const works = payloads.map((data) => async () => {
      if (this.paused) return void (isUnfinished = true);
      answer = await this.handleEvent(topic, { pattern: topic, data }, context);
    });
    try {
      await slots.doAll(works);
    } catch (error) {
      if (isIntake(topic)) await putOff(job, token, error);
      throw error instanceof InvalidInput ? forGood(error) : error;
    }
    // After a pause some units are not done, so the job goes back to the queue. The units that are done refuse a
    // second claim.
    if (isUnfinished) await giveBack(job, token);
    // The return value of a job is the answer to its producer. Only producers of alerts and feedback read it.
    return isIntake(topic) ? answer : undefined;
  }

  /** Reports the wait of a live job to the gate. Delays a bulk job, which keeps its slot and its lock. */
  private async yieldToLive(lane: LaneGroup, job: BullJob, signal: AbortSignal): Promise<void> {
    const { gate } = this.options;
    if (gate === undefined || this.paused) return;
    if (lane === 'live') gate.sawLiveWait(bullJobWait(job));
    else await gate.pass(job.queueName, AbortSignal.any([signal, this.stopping.signal]));
  }

  /** Runs the handler. Unlike Nest's own method, it waits for a returned stream. @returns the last value. */
  override async handleEvent(topic: string, packet: ReadPacket, context: BullMqContext): Promise<unknown> {
    const handler = this.getHandlers().get(topic);
    if (handler === undefined) throw new CasefileError('unknown_topic', `Nothing handles ${topic}.`);
    let answer: unknown;
    await this.runWithProcessingHooks(context, async (runEndHook) => {
      const result: unknown = await handler(packet.data, context);
      answer = result;
      if (!isObservable(result)) return runEndHook();
      answer = await lastValueFrom(result.pipe(finalize(runEndHook)), { defaultValue: undefined });
    });
    return answer;
  }

  private async hasOldWork(name: string, ms: number): Promise<boolean> {
    const { connection } = this.options;
    const queue = this.probedQueues.get(name) ?? openQueue(connection, name);
    this.probedQueues.set(name, queue);
    const [oldest] = await queue
      .getJobCounts('waiting')
      .then(({ waiting = 0 }) => oldestWaiting(connection, queue, waiting, 1))
      .catch(() => []);
    return oldest !== undefined && Date.now() - oldest.timestamp > ms;
  }

  private async closeInOrder(): Promise<void> {
    await this.pause();
    if (!(await this.idleWithin(this.options.graceMs))) {
      for (const slots of this.slots) slots.abort('shutdown');
      await this.idleWithin(ABORT_PATIENCE_MS);
    }
    const away = this.options.connection.unavailable() !== null;
    const closing = [
      ...this.slots.map((slots) => slots.close(away || slots.busy > 0)),
      ...[...this.probedQueues.values()].map((queue) => queue.close()),
    ];
    await closedOrLate(closing, this.options.log);
  }

  private async idleWithin(ms: number): Promise<boolean> {
    const isIdle = () => this.slots.every((slots) => slots.busy === 0);
    for (const until = Date.now() + ms; !isIdle() && Date.now() < until;) await sleep(LOOK_EVERY_MS);
    return isIdle();
  }
}

function checkHandler(topic: string, handler: MessageHandler): void {
  if (handler.isEventHandler !== true) {
    throw new CasefileError(
      'wrong_handler',
      `${topic} is a request pattern: the queue gives no answers, use @EventPattern.`,
    );
  }
  if (handler.next !== undefined) {
    throw new CasefileError(
      'two_handlers',
      `${topic} has two handlers in this process: a job goes to one. Remove one.`,
    );
  }
}

/** Returns the wait of a job in milliseconds; 0 for a retry, whose times do not show the wait. */
function bullJobWait({ attemptsMade, stalledCounter, delay, processedOn, timestamp }: BullJob): number {
  const isFirst = attemptsMade === 0 && stalledCounter === 0 && delay === 0;
  return isFirst ? Math.max(0, (processedOn ?? timestamp) - timestamp) : 0;
}
