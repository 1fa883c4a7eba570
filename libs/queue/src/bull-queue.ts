import {
  CasefileError,
  DATA_SOURCE_TOOLS,
  gather,
  messageWithoutValues,
  nudgeJobId,
  type Nudge,
  type Queue,
  type QueueDepth,
  type StageJob,
  type ToolJob,
  type VerdictMessage,
} from '@casefile/contracts';
import type { BulkJobOptions, JobsOptions, Telemetry } from 'bullmq';
import { oldestWaiting, openQueue, bullTraces, traceHere } from './open-queue.js';
import { ALERTS, queueNames, queueOfNudge, SENTINEL, VERDICTS } from './queue-names.js';
import {
  JOB_READS_AT_ONCE,
  MOST_AT_ONCE,
  SEND_PATIENCE_MS,
  SENTINEL_OPTIONS,
  UNTAKEN_VERDICTS,
  VERDICT_OPTIONS,
  WAKE_UP_OPTIONS,
  TAKEN_WITHIN_MS,
} from './queue-options.js';
import {
  queueUnavailable,
  queueUnusable,
  withinTime,
  type BullQueue,
  type QueueStore,
} from './queue-store.js';
import { SharedJobs, type WantedJob } from './shared-jobs.js';

export interface BullQueueOptions {
  connection: QueueStore;
  /** Names of all stages of all flows. */
  stages: readonly string[];
  /** Wire names of all remote tools. */
  tools: readonly string[];
  /** Limit for verdicts that no receiver takes. Above it, the oldest are removed. */
  untakenVerdicts?: number;
  /** Name of the tracer. Default: no traces. */
  telemetryTracer?: string;
  /** Overrides the options of wake-ups, for tests that cannot wait for a minute of attempts. */
  wakeUpOptions?: Pick<JobsOptions, 'attempts' | 'backoff'>;
}

interface Addition extends WantedJob {
  to: BullQueue;
}

/** The `Queue` port over BullMQ. Throws a retryable `queue_unavailable` if the store is unavailable. */
export class BullMqQueue implements Queue {
  private readonly connection: QueueStore;
  private readonly traces: Telemetry | undefined;
  private readonly shown: string[];
  private readonly queues: ReadonlyMap<string, BullQueue>;
  private readonly shared = new SharedJobs();
  // One turn of the event loop suffices to collect the units of one database write into a shared job. An
  // additional timer doubled the latency without a benefit.
  private readonly add = gather<Addition, void>({
    maxItems: MOST_AT_ONCE,
    flush: async (additions) => {
      await this.guarded('adding jobs', () => addAll(additions, this.shared));
      return [];
    },
  });
  private readonly cap: (added: number) => Promise<void>;

  constructor(private readonly options: BullQueueOptions) {
    const { connection, stages, tools, telemetryTracer, untakenVerdicts = UNTAKEN_VERDICTS } = options;
    this.connection = connection;
    this.traces = bullTraces(telemetryTracer);
    this.shown = queueNames(stages, tools);
    const names = [...this.shown, SENTINEL];
    // A wake-up may serve several cases, so it has a trace of its own. The spans of their stages link to it.
    const traced = (name: string) => (name === ALERTS || name === VERDICTS ? this.traces : undefined);
    this.queues = new Map(names.map((name) => [name, openQueue(connection, name, traced(name))]));
    this.cap = capUntaken(this.queue(VERDICTS), untakenVerdicts);
  }

  async nudge(nudges: Nudge[]): Promise<void> {
    const opts = { ...WAKE_UP_OPTIONS, ...this.options.wakeUpOptions };
    await this.addInParts(nudges.map((nudge) => ({ to: this.queueFor(nudge), ...wakeUp(nudge, opts) })));
  }

  async publishVerdicts(messages: VerdictMessage[]): Promise<void> {
    const opts = { ...VERDICT_OPTIONS, ...traceHere(this.traces) };
    await this.addInParts(
      messages.map((message) => ({ to: this.queue(VERDICTS), job: verdictJob(message, opts) })),
    );
    // The verdicts are published. A failed removal of old verdicts must not fail their publication.
    await this.guarded('removing old verdicts', () => this.cap(messages.length)).catch(
      this.connection.report,
    );
  }

  async remove({ verdicts, alerts }: Parameters<Queue['remove']>[0]): Promise<void> {
    const jobs = [
      ...verdicts.map((id) => () => this.queue(VERDICTS).remove(id)),
      ...alerts.map((id) => () => this.queue(ALERTS).remove(id)),
    ];
    for (let at = 0; at < jobs.length; at += JOB_READS_AT_ONCE) {
      const part = jobs.slice(at, at + JOB_READS_AT_ONCE);
      await this.guarded('removing jobs', () => Promise.all(part.map((remove) => remove())));
    }
  }

  async alive(nudges: Nudge[]): Promise<boolean[]> {
    const found: boolean[] = [];
    for (let at = 0; at < nudges.length; at += JOB_READS_AT_ONCE) {
      const part = nudges.slice(at, at + JOB_READS_AT_ONCE);
      const look = (nudge: Nudge) => isAwaited(this.queueFor(nudge), nudge);
      found.push(...(await this.guarded('looking for jobs', () => Promise.all(part.map(look)))));
    }
    return found;
  }

  async hasSentinel(): Promise<boolean> {
    const job = await this.guarded('looking for the sentinel', () => this.queue(SENTINEL).getJob(SENTINEL));
    return job !== undefined;
  }

  async plantSentinel(): Promise<void> {
    const opts = { ...SENTINEL_OPTIONS, jobId: SENTINEL };
    await this.guarded('planting the sentinel', () => this.queue(SENTINEL).add(SENTINEL, {}, opts));
  }

  claim(name: string, forMs: number): Promise<boolean> {
    return this.guarded('claiming', () => this.connection.claim(name, forMs));
  }

  depths(): Promise<QueueDepth[]> {
    const all = () => Promise.all(this.shown.map((name) => storeDepth(this.connection, this.queue(name))));
    return this.guarded('counting jobs', all);
  }

  ping(timeoutMs: number): Promise<void> {
    return this.guarded(null, () => this.connection.probe(), timeoutMs);
  }

  unusable(): string | null {
    return this.connection.unusable();
  }

  evictionPolicy(): string | null {
    return this.connection.evictionPolicy();
  }

  async close(): Promise<void> {
    await Promise.all([...this.queues.values()].map((each) => each.close()));
  }

  /** Tools that are added while the program runs share a queue. */
  private queueFor(nudge: Nudge): BullQueue {
    const name = queueOfNudge(nudge);
    if (nudge.kind !== 'tool' || this.queues.has(name)) return this.queue(name);
    const shared = this.queues.get(queueOfNudge({ ...nudge, tool: DATA_SOURCE_TOOLS }));
    return shared ?? this.queue(name);
  }

  private queue(name: string): BullQueue {
    const found = this.queues.get(name);
    if (found !== undefined) return found;
    throw new CasefileError('unknown_queue', `There is no queue ${name}: name its stage or tool at start.`);
  }

  /** Adds jobs in parts, so that other callers do not wait behind a large addition. */
  private async addInParts(additions: Addition[]): Promise<void> {
    for (let at = 0; at < additions.length; at += MOST_AT_ONCE)
      await Promise.all(additions.slice(at, at + MOST_AT_ONCE).map(this.add));
  }

  /**
   * Runs `work` unless the store is known to be unavailable. Otherwise callers would wait for its time limit.
   */
  private async guarded<T>(
    what: string | null,
    work: () => Promise<T>,
    timeoutMs = SEND_PATIENCE_MS,
  ): Promise<T> {
    const fault = this.connection.unusable();
    if (fault !== null) throw queueUnusable(fault);
    const why = this.connection.unavailable();
    if (why !== null) throw queueUnavailable(what, why);
    try {
      return await withinTime(timeoutMs, this.connection.proven.then(work), what);
    } catch (error) {
      if (error instanceof CasefileError) throw error;
      throw queueUnavailable(what, messageWithoutValues(error), error);
    }
  }
}

/** Adds jobs, those of one queue together, all queues concurrently. */
async function addAll(additions: Addition[], shared: SharedJobs): Promise<void> {
  const groups = new Map<BullQueue, Addition[]>();
  for (const addition of additions) {
    const group = groups.get(addition.to);
    if (group === undefined) groups.set(addition.to, [addition]);
    else group.push(addition);
  }
  await Promise.all([...groups].map(([to, wanted]) => addTo(to, shared.pack(wanted))));
}

/** A single job is added without the transaction that several need. This saves a millisecond. */
async function addTo(queue: BullQueue, jobs: WantedJob['job'][]): Promise<void> {
  const [only] = jobs;
  if (jobs.length === 1 && only !== undefined) await queue.add(only.name, only.data, only.opts);
  else await queue.addBulk(jobs);
}

function wakeUp(nudge: Nudge, shared: BulkJobOptions): WantedJob {
  const opts = { ...shared, jobId: nudgeJobId(nudge) };
  if (nudge.kind === 'tool') {
    const data: ToolJob = { toolCallId: nudge.toolCallId };
    return { job: { name: nudge.tool, data, opts } };
  }
  const { runId, unit, round, sharedJob } = nudge;
  const data: StageJob = { runId, unit, round };
  return { job: { name: nudge.stage, data, opts }, sharedJob };
}

function verdictJob(message: VerdictMessage, shared: BulkJobOptions): Addition['job'] {
  return { name: message.playbook, data: message, opts: { ...shared, jobId: message.deliveryId } };
}

/** Returns whether a unit will be woken, by its own job or by a shared one. */
async function isAwaited(queue: BullQueue, nudge: Nudge): Promise<boolean> {
  if (await isAlive(queue, nudgeJobId(nudge))) return true;
  return nudge.kind === 'stage' && nudge.sharedJob !== undefined && isAlive(queue, nudge.sharedJob);
}

/**
 * Returns whether a job exists and has not ended. Reads the job, because reading its state makes Redis search
 * its waiting list, which is slow for a million jobs.
 */
async function isAlive(queue: BullQueue, jobId: string): Promise<boolean> {
  const job = await queue.getJob(jobId);
  return job !== undefined && job.finishedOn === undefined;
}

async function storeDepth(store: QueueStore, queue: BullQueue): Promise<QueueDepth> {
  const counts = await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed');
  const count = (state: string) => counts[state] ?? 0;
  const [oldest] = await oldestWaiting(store, queue, count('waiting'), 1);
  return {
    queue: queue.name,
    waiting: count('waiting') + count('prioritized'),
    active: count('active'),
    delayed: count('delayed'),
    failed: count('failed'),
    oldestMs: oldest === undefined ? null : Math.max(0, Date.now() - oldest.timestamp),
  };
}

/**
 * Most verdicts that a process adds between two checks. The interval is a tenth of the limit if that is less.
 */
const LOOK_AT_LEAST_EVERY = 100;

/**
 * Limits the queue of verdicts if no receiver takes from it: the oldest waiting jobs above `most` are
 * removed. Nothing is removed while a job is active or delayed, or if one ended within a day, because a
 * receiver then exists. Processes that check at the same moment may each remove the surplus.
 * @returns the function to call with the number of added jobs. It removes jobs in parts of some hundred.
 */
function capUntaken(queue: BullQueue, most: number): (added: number) => Promise<void> {
  const every = Math.max(1, Math.min(LOOK_AT_LEAST_EVERY, Math.floor(most / 10)));
  let unseen = every;
  return async (added) => {
    unseen += added;
    if (unseen < every) return;
    unseen = 0;
    const { waiting = 0, active = 0, delayed = 0 } = await queue.getJobCounts('waiting', 'active', 'delayed');
    if (waiting <= most || active + delayed > 0 || (await wasTakenOfLate(queue))) return;
    // Removes many jobs with one search of the waiting list. Removing them individually would search once per
    // job.
    for (let over = waiting - most; over > 0; over -= MOST_AT_ONCE)
      await queue.clean(0, Math.min(over, MOST_AT_ONCE), 'wait');
  };
}

async function wasTakenOfLate(queue: BullQueue): Promise<boolean> {
  const newest = await Promise.all([queue.getJobs(['completed'], 0, 0), queue.getJobs(['failed'], 0, 0)]);
  return newest.flat().some(({ finishedOn = 0 }) => finishedOn > Date.now() - TAKEN_WITHIN_MS);
}
