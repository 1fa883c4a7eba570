import {
  CasefileError,
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
import type { BulkJobOptions, JobsOptions } from 'bullmq';
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
import { queueUnavailable, withinTime, type BullQueue, type QueueStore } from './queue-store.js';
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
export function createBullQueue(options: BullQueueOptions): Queue {
  const { connection } = options;
  const traces = bullTraces(options.telemetryTracer);
  const shown = queueNames(options.stages, options.tools);
  const queues = new Map([...shown, SENTINEL].map((name) => [name, openQueue(connection, name, traces)]));
  const queue = (name: string): BullQueue => {
    const found = queues.get(name);
    if (found !== undefined) return found;
    throw new CasefileError('unknown_queue', `There is no queue ${name}: name its stage or tool at start.`);
  };
  /**
   * Runs `work` unless the store is known to be unavailable. Otherwise callers would wait for its time limit.
   */
  const guarded = async <T>(
    what: string | null,
    work: () => Promise<T>,
    timeoutMs = SEND_PATIENCE_MS,
  ): Promise<T> => {
    const why = connection.unavailable();
    if (why !== null) throw queueUnavailable(what, why);
    try {
      return await withinTime(timeoutMs, work(), what);
    } catch (error) {
      if (error instanceof CasefileError) throw error;
      throw queueUnavailable(what, messageWithoutValues(error), error);
    }
  };
  const shared = new SharedJobs();
  // One turn of the event loop suffices to collect the units of one database write into a shared job. An
  // additional timer doubled the latency without a benefit.
  const add = gather<Addition, void>({
    maxItems: MOST_AT_ONCE,
    flush: async (additions) => {
      await guarded('adding jobs', () => addAll(additions, shared));
      return [];
    },
  });

  const cap = capUntaken(queue(VERDICTS), options.untakenVerdicts ?? UNTAKEN_VERDICTS);

  return {
    nudge: async (nudges) => {
      const opts = { ...WAKE_UP_OPTIONS, ...options.wakeUpOptions, ...traceHere(traces) };
      const additions = nudges.map((nudge) => ({ to: queue(queueOfNudge(nudge)), ...wakeUp(nudge, opts) }));
      await addInParts(add, additions);
    },
    publishVerdicts: async (messages) => {
      const opts = { ...VERDICT_OPTIONS, ...traceHere(traces) };
      const additions = messages.map((message) => ({ to: queue(VERDICTS), job: verdictJob(message, opts) }));
      await addInParts(add, additions);
      // The verdicts are published. A failed removal of old verdicts must not fail their publication.
      await guarded('removing old verdicts', () => cap(messages.length)).catch(connection.report);
    },
    remove: async ({ verdicts, alerts }) => {
      const jobs = [
        ...verdicts.map((id) => () => queue(VERDICTS).remove(id)),
        ...alerts.map((id) => () => queue(ALERTS).remove(id)),
      ];
      for (let at = 0; at < jobs.length; at += JOB_READS_AT_ONCE) {
        const part = jobs.slice(at, at + JOB_READS_AT_ONCE);
        await guarded('removing jobs', () => Promise.all(part.map((remove) => remove())));
      }
    },
    alive: async (nudges) => {
      const found: boolean[] = [];
      for (let at = 0; at < nudges.length; at += JOB_READS_AT_ONCE) {
        const part = nudges.slice(at, at + JOB_READS_AT_ONCE);
        const look = (nudge: Nudge) => isAwaited(queue(queueOfNudge(nudge)), nudge);
        found.push(...(await guarded('looking for jobs', () => Promise.all(part.map(look)))));
      }
      return found;
    },
    hasSentinel: async () => {
      const job = await guarded('looking for the sentinel', () => queue(SENTINEL).getJob(SENTINEL));
      return job !== undefined;
    },
    plantSentinel: async () => {
      const opts = { ...SENTINEL_OPTIONS, jobId: SENTINEL };
      await guarded('planting the sentinel', () => queue(SENTINEL).add(SENTINEL, {}, opts));
    },
    depths: () =>
      guarded('counting jobs', () => Promise.all(shown.map((name) => storeDepth(connection, queue(name))))),
    ping: (timeoutMs) => guarded(null, () => connection.probe(), timeoutMs),
    close: async () => void (await Promise.all([...queues.values()].map((each) => each.close()))),
  };
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

/** Adds jobs in parts, so that other callers do not wait behind a large addition. */
async function addInParts(add: (one: Addition) => Promise<void>, additions: Addition[]): Promise<void> {
  for (let at = 0; at < additions.length; at += MOST_AT_ONCE)
    await Promise.all(additions.slice(at, at + MOST_AT_ONCE).map(add));
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
