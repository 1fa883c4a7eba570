import {
  DATA_SOURCE_TOOLS,
  laneGroup,
  nudgeJobId,
  type AlertInput,
  type LaneGroup,
  type Logger,
  type Nudge,
  type Queue,
  type QueueDepth,
  type VerdictMessage,
} from '@casefile/contracts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JobFacts } from './bullmq-context.js';
import { ALERTS, queueOfNudge, queuesOfTopic, stageTopic, toolTopic, VERDICTS } from './queue-names.js';

/** Processes one job of the inline queue. */
export type InlineHandler = (payload: unknown, job: JobFacts) => Promise<unknown>;

/** Counts since the start. */
export interface InlineCounts {
  added: number;
  /** Jobs not added because the id was known. */
  duplicates: number;
  completed: number;
  retried: number;
  failed: number;
}

/**
 * The `Queue` port in this process, for tests and for uses without a store. Jobs are lost when the process
 * ends.
 */
export interface InlineQueue extends Queue {
  /**
   * Sets the handler of a topic: `stageTopic(name)`, `toolTopic(name)`, or `ALERTS`. A later handler replaces an
   * earlier one.
   */
  on(topic: string, handler: InlineHandler): void;
  /** Adds an alert as upstream systems do, to the queue `alerts`. */
  addAlert(body: AlertInput, id?: string): void;
  /** Waits until no job with a handler waits or runs. */
  drain(): Promise<void>;
  /** Removes all jobs, like an emptied store. Running jobs continue. */
  clear(): void;
  /** Stops fetching. */
  pause(): void;
  resume(): void;
  readonly counts: Readonly<InlineCounts>;
  /** Published verdicts that no handler of `verdicts` took, oldest first. */
  readonly published: readonly VerdictMessage[];
}

export interface InlineQueueOptions {
  log: Logger;
  /** Attempts of a job whose handler throws, without a wait between them. */
  attempts?: number;
  /** Concurrent jobs, per group of lanes. */
  slots?: { live: number; bulk: number };
}

type State = 'waiting' | 'active' | 'failed';
interface InlineJob {
  id: string;
  name: string;
  queue: string;
  topic: string;
  lane: LaneGroup;
  payload: unknown;
  attempt: number;
  addedAt: number;
  state: State;
}

/** Creates an inline queue. Jobs run in later turns of the event loop, live ones first, oldest first. */
export function createInlineQueue(options: InlineQueueOptions): InlineQueue {
  const { log, attempts = 3, slots = { live: 8, bulk: 2 } } = options;
  const handlers = new Map<string, InlineHandler>();
  const counts: InlineCounts = { added: 0, duplicates: 0, completed: 0, retried: 0, failed: 0 };
  const busy = { live: 0, bulk: 0 };
  let jobs = new Map<string, InlineJob>();
  let sentinel = false;
  let paused = false;
  let scheduled = false;

  const keyOf = ({ queue, id }: { queue: string; id: string }) => `${queue} ${id}`;
  // Tools that are added while the program runs share a handler.
  const handlerOf = ({ name, topic }: InlineJob) =>
    handlers.get(topic) ??
    (topic === toolTopic(name) ? handlers.get(toolTopic(DATA_SOURCE_TOOLS)) : undefined);
  const isRunnable = (job: InlineJob) => job.state === 'waiting' && handlerOf(job) !== undefined;
  const add = (job: Omit<InlineJob, 'attempt' | 'addedAt' | 'state'>) => {
    if (jobs.has(keyOf(job))) return void (counts.duplicates += 1);
    jobs.set(keyOf(job), { ...job, attempt: 1, addedAt: Date.now(), state: 'waiting' });
    counts.added += 1;
    schedule();
  };
  const schedule = () => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      startWhatFits();
    });
  };
  const startWhatFits = () => {
    if (paused) return;
    for (const group of ['live', 'bulk'] as const) {
      for (const job of jobs.values()) {
        if (busy[group] >= slots[group]) break;
        if (job.lane === group && isRunnable(job)) void run(job);
      }
    }
  };
  const run = async (job: InlineJob) => {
    job.state = 'active';
    busy[job.lane] += 1;
    const { id: jobId, name, queue, topic, lane, attempt } = job;
    const facts = {
      jobId,
      name,
      queue,
      topic,
      lane,
      attempt,
      stalls: 0,
      signal: new AbortController().signal,
    };
    try {
      await handlerOf(job)?.(job.payload, facts);
      counts.completed += 1;
      if (jobs.get(keyOf(job)) === job) jobs.delete(keyOf(job));
    } catch (error) {
      fail(job, error);
    } finally {
      busy[job.lane] -= 1;
      schedule();
    }
  };
  const fail = (job: InlineJob, error: unknown) => {
    const last = job.attempt >= attempts;
    counts[last ? 'failed' : 'retried'] += 1;
    job.state = last ? 'failed' : 'waiting';
    log.warn({ queue: job.queue, jobId: job.id, attempt: job.attempt, err: error }, 'job failed');
    job.attempt += 1;
  };
  const isIdle = () => busy.live + busy.bulk === 0 && (paused || ![...jobs.values()].some(isRunnable));

  return {
    counts,
    get published() {
      return [...jobs.values()]
        .filter((job) => job.queue === VERDICTS)
        .map((job) => job.payload as VerdictMessage);
    },
    on: (topic, handler) => {
      handlers.set(topic, handler);
      schedule();
    },
    addAlert: (body, id = `alert-${counts.added + 1}`) => {
      add({ id, name: 'alert', queue: ALERTS, topic: ALERTS, lane: 'live', payload: body });
    },
    drain: async () => {
      while (!isIdle()) await nextTurn();
    },
    clear: () => {
      jobs = new Map();
      sentinel = false;
    },
    pause: () => void (paused = true),
    resume: () => {
      paused = false;
      schedule();
    },
    nudge: async (nudges) => nudges.forEach((nudge) => add(nudgeJob(nudge))),
    alive: async (nudges) =>
      nudges.map((nudge) => {
        const state = jobs.get(keyOf(nudgeJob(nudge)))?.state;
        return state === 'waiting' || state === 'active';
      }),
    hasSentinel: async () => sentinel,
    plantSentinel: async () => void (sentinel = true),
    claim: async () => true,
    publishVerdicts: async (messages) => {
      for (const message of messages) {
        add({
          id: message.deliveryId,
          name: message.playbook,
          queue: VERDICTS,
          topic: VERDICTS,
          lane: 'live',
          payload: message,
        });
      }
    },
    remove: async ({ verdicts, alerts }) => {
      for (const [key, job] of jobs) {
        const ids = job.queue === VERDICTS ? verdicts : job.queue === ALERTS ? alerts : [];
        if (job.state !== 'active' && ids.includes(job.id)) jobs.delete(key);
      }
    },
    depths: async () => jobDepths([...jobs.values()], [...handlers.keys()]),
    ping: async () => undefined,
    unusable: () => null,
    evictionPolicy: () => null,
    close: async () => {
      paused = true;
      while (busy.live + busy.bulk > 0) await nextTurn();
    },
  };
}

function nudgeJob(nudge: Nudge): Omit<InlineJob, 'attempt' | 'addedAt' | 'state'> {
  const place = { id: nudgeJobId(nudge), queue: queueOfNudge(nudge), lane: laneGroup(nudge.lane) };
  if (nudge.kind === 'tool') {
    return {
      ...place,
      name: nudge.tool,
      topic: toolTopic(nudge.tool),
      payload: { toolCallId: nudge.toolCallId },
    };
  }
  const { runId, unit, round, stage } = nudge;
  return { ...place, name: stage, topic: stageTopic(stage), payload: { runId, unit, round } };
}

function jobDepths(jobs: InlineJob[], topics: string[]): QueueDepth[] {
  const known = topics.flatMap((topic) => queuesOfTopic(topic).map(({ queue }) => queue));
  const queues = new Set([...known, ...jobs.map((job) => job.queue), VERDICTS]);
  return [...queues].map((queue) => {
    const here = jobs.filter((job) => job.queue === queue);
    const count = (state: State) => here.filter((job) => job.state === state).length;
    const oldest = here.find((job) => job.state === 'waiting');
    const oldestMs = oldest === undefined ? null : Date.now() - oldest.addedAt;
    return {
      queue,
      waiting: count('waiting'),
      active: count('active'),
      delayed: 0,
      failed: count('failed'),
      oldestMs,
    };
  });
}
