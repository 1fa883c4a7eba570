import {
  CasefileError,
  jobIdOf,
  type Logger,
  type Nudge,
  type Queue,
  type QueueDepth,
  type StageJob,
  type ToolJob,
  type VerdictMessage,
} from '@casefile/contracts';
import type { BulkJobOptions, JobsOptions } from 'bullmq';
import { gatherAdds } from './gathered-adds.js';
import { openQueue } from './open-queue.js';
import { queueNames, queueOfNudge, SENTINEL, VERDICTS } from './queue-names.js';
import {
  LOOKUPS_AT_ONCE,
  MOST_AT_ONCE,
  SEND_PATIENCE_MS,
  SENTINEL_OPTIONS,
  VERDICT_OPTIONS,
  WAKE_UP_OPTIONS,
} from './queue-options.js';
import { queueUnavailable, withinTime, type BullQueue, type QueueStore } from './queue-store.js';
import { bullTraces, traceHere } from './traces.js';

export interface BullQueueOptions {
  connection: QueueStore;
  /** Names of all stages of all flows. */
  stages: readonly string[];
  /** Wire names of all remote tools. */
  tools: readonly string[];
  log: Logger;
  /** Name of the tracer; left out: no traces. */
  telemetryTracer?: string;
  /** Laid over the wake-ups' own, for tests that cannot wait for a minute of attempts. */
  wakeUpOptions?: Pick<JobsOptions, 'attempts' | 'backoff'>;
}

interface Addition {
  queue: string;
  job: { name: string; data: unknown; opts: BulkJobOptions };
}

/** The `Queue` port over BullMQ. Its failures are `queue_unavailable` and retryable. */
export function createBullQueue(options: BullQueueOptions): Queue {
  const { connection, log } = options;
  const traces = bullTraces(options.telemetryTracer);
  const shown = queueNames(options.stages, options.tools);
  const queues = new Map(
    [...shown, SENTINEL].map((name) => [name, openQueue(connection, name, log, traces)]),
  );
  const queue = (name: string): BullQueue => {
    const found = queues.get(name);
    if (found === undefined)
      throw new CasefileError('unknown_queue', `There is no queue ${name}: name its stage or tool at start.`);
    return found;
  };
  const send = async (additions: Addition[]): Promise<void> => {
    const groups = new Map<string, Addition['job'][]>();
    for (const { queue: name, job } of additions) groups.set(name, [...(groups.get(name) ?? []), job]);
    const adding = [...groups].map(([name, jobs]) => queue(name).addBulk(jobs));
    await guarded('adding jobs', Promise.all(adding));
  };
  const add = gatherAdds(send, MOST_AT_ONCE);

  return {
    nudge: async (nudges) => {
      const opts = { ...WAKE_UP_OPTIONS, ...options.wakeUpOptions, ...traceHere(traces) };
      await addInParts(
        add,
        nudges.map((nudge) => wakeUp(nudge, opts)),
      );
    },
    publishVerdicts: async (messages) => {
      const opts = { ...VERDICT_OPTIONS, ...traceHere(traces) };
      await addInParts(
        add,
        messages.map((message) => verdictJob(message, opts)),
      );
    },
    alive: async (nudges) => {
      const found: boolean[] = [];
      for (let at = 0; at < nudges.length; at += LOOKUPS_AT_ONCE) {
        const part = nudges.slice(at, at + LOOKUPS_AT_ONCE);
        const looking = part.map((nudge) => isAlive(queue(queueOfNudge(nudge)), jobIdOf(nudge)));
        found.push(...(await guarded('looking for jobs', Promise.all(looking))));
      }
      return found;
    },
    hasSentinel: async () =>
      (await guarded('looking for the sentinel', queue(SENTINEL).getJob(SENTINEL))) !== undefined,
    plantSentinel: async () => {
      await guarded(
        'planting the sentinel',
        queue(SENTINEL).add(SENTINEL, {}, { ...SENTINEL_OPTIONS, jobId: SENTINEL }),
      );
    },
    depths: () => guarded('counting jobs', Promise.all(shown.map((name) => depthOf(queue(name))))),
    ping: (timeoutMs) => guarded('ping', connection.probe(), timeoutMs),
    close: async () => void (await Promise.all([...queues.values()].map((each) => each.close()))),
  };
}

/** Callers with very much to add do it in parts, so that nobody waits behind all of it. */
async function addInParts(add: (part: Addition[]) => Promise<void>, additions: Addition[]): Promise<void> {
  for (let at = 0; at < additions.length; at += MOST_AT_ONCE)
    await add(additions.slice(at, at + MOST_AT_ONCE));
}

function wakeUp(nudge: Nudge, shared: BulkJobOptions): Addition {
  const opts = { ...shared, jobId: jobIdOf(nudge) };
  if (nudge.kind === 'tool') {
    const data: ToolJob = { toolCallId: nudge.toolCallId };
    return { queue: queueOfNudge(nudge), job: { name: nudge.tool, data, opts } };
  }
  const data: StageJob = { runId: nudge.runId, unit: nudge.unit, round: nudge.round };
  return { queue: queueOfNudge(nudge), job: { name: nudge.stage, data, opts } };
}

function verdictJob(message: VerdictMessage, shared: BulkJobOptions): Addition {
  const opts = { ...shared, jobId: message.deliveryId };
  return { queue: VERDICTS, job: { name: message.playbook, data: message, opts } };
}

/**
 * Is it there and not over? By the job itself: asking for its state makes Redis search its waiting
 * list, which is slow when a million wait.
 */
async function isAlive(queue: BullQueue, jobId: string): Promise<boolean> {
  const job = await queue.getJob(jobId);
  return job !== undefined && job.finishedOn === undefined;
}

async function depthOf(queue: BullQueue): Promise<QueueDepth> {
  const [counts, [oldest]] = await Promise.all([
    queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed'),
    queue.getJobs(['waiting'], 0, 0, true),
  ]);
  const count = (state: string) => counts[state] ?? 0;
  return {
    queue: queue.name,
    waiting: count('waiting') + count('prioritized'),
    active: count('active'),
    delayed: count('delayed'),
    failed: count('failed'),
    oldestMs: oldest === undefined ? null : Math.max(0, Date.now() - oldest.timestamp),
  };
}

async function guarded<T>(what: string, work: Promise<T>, timeoutMs: number = SEND_PATIENCE_MS): Promise<T> {
  try {
    return await withinTime(timeoutMs, work, what);
  } catch (error) {
    if (error instanceof CasefileError) throw error;
    throw queueUnavailable(`${what}: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}
