import type { JobsOptions } from 'bullmq';

const SECOND = 1_000;
const DAY_S = 86_400;

/** Every figure of the queue, with its reason. Those of BullMQ that are not here are BullMQ's defaults. */
export const WORKER_OPTIONS = {
  /** A dead worker's job is free after this: with the check below take-over stays within 10 s. The default is 30 s. */
  lockDuration: 6 * SECOND,
  /** How often jobs of dead workers are looked for. The default of 30 s would alone break the 10 s. */
  stalledInterval: 2 * SECOND,
  /**
   * With the default of 1 the second death of a worker fails the job whatever `attempts` says: 60 of 60 jobs
   * were lost that way. Crashes are counted per step in Postgres, which quarantines; the queue never gives up.
   */
  maxStalledCount: 1_000,
  /** Pause between fetches while the store is away. The default of 15 s would leave a worker deaf after an outage. */
  runRetryDelay: SECOND / 2,
} as const;

/** Wake-ups of stages and tool calls. Postgres holds the truth, so these may be forgotten at any time. */
export const WAKE_UP_OPTIONS = {
  /** A handler throws only when it could not write (the database is away): a minute of tries, then the sweeper. */
  attempts: 60,
  /** Work has to go on within 2 s of the end of an outage; the jitter keeps a thousand jobs from coming back at once. */
  backoff: { type: 'fixed', delay: SECOND, jitter: 0.5 },
  /** A million finished jobs would be a gigabyte of Redis, and the record has it all. */
  removeOnComplete: true,
  /** Enough to see on the board what went wrong. */
  removeOnFail: { age: 7 * DAY_S, count: 1_000 },
} as const satisfies JobsOptions;

/** Alerts that we add ourselves; those of others come with options of their own. */
export const ALERT_OPTIONS = {
  /** Until it is accepted an alert is nowhere else: tried for long, kept for good when it fails. */
  attempts: 60,
  backoff: { type: 'fixed', delay: SECOND, jitter: 0.5 },
  removeOnComplete: { age: DAY_S, count: 1_000 },
  removeOnFail: false,
} as const satisfies JobsOptions;

/** Verdicts on their way out, for whoever consumes them. */
export const VERDICT_OPTIONS = {
  attempts: 10,
  backoff: { type: 'exponential', delay: SECOND },
  /** While its job is there a delivery cannot be added twice: for a day, longer than any redelivery takes. */
  removeOnComplete: { age: DAY_S, count: 100_000 },
  removeOnFail: false,
} as const satisfies JobsOptions;

/** Verdicts that wait while nobody takes them; the record has them all. A setting lays another number over it. */
export const UNTAKEN_VERDICTS = 10_000;
/** Somebody who has taken no verdict for so long is not there. */
export const TAKEN_WITHIN_MS = DAY_S * SECOND;

/** Nobody consumes its queue, so it stays until somebody empties the store. A year: it is not to look like work. */
export const SENTINEL_OPTIONS = { delay: 365 * DAY_S * SECOND } as const satisfies JobsOptions;

/** Services read no event streams; this much is for people who do. The default is 10,000 a queue. */
export const STREAMS = { events: { maxLen: 1_000 } } as const;

/** Jobs a single `addBulk`: one script call each on Redis, which holds up everybody else meanwhile. */
export const MOST_AT_ONCE = 500;
/** Look-ups under way at once when many jobs are asked for. */
export const LOOKUPS_AT_ONCE = 100;

/**
 * A worker fetches one job at a time, so a queue with slots for many is given two workers: a closed loop
 * became faster by three quarters.
 */
export const TWO_WORKERS_FROM = 4;

/** Part of a limited rate that live work may use; the rest is for the other lanes, and neither starves. */
export const LIVE_SHARE = 0.75;

/** For one call of the sending side, in milliseconds. What is late is nudged again by the sweeper. */
export const SEND_PATIENCE_MS = 5 * SECOND;
/** After the grace for jobs in hand: for those that were told to stop. */
export const ABORT_PATIENCE_MS = 2 * SECOND;

/** For workers to let go of the store: with one that answers they take a few milliseconds. */
export const CLOSE_PATIENCE_MS = 3 * SECOND;

/** An alert that could not be taken for a passing reason: pause before the next try, and its cap. */
export const PUT_OFF = { firstMs: SECOND / 2, longestMs: 15 * SECOND } as const;

/** ioredis' own back-off grows to 20 s and left workers deaf for 18 s after Redis was back. */
export const redisRetryDelay = (times: number): number => Math.min(50 * 2 ** Math.min(times, 10), SECOND);
/** A Redis that accepts and says nothing is not one. */
export const REDIS_CONNECT_TIMEOUT_MS = 5 * SECOND;
/** Queries of one process at once on the Postgres store; one more connection listens for all its workers. */
export const POSTGRES_POOL_SIZE = 4;
export const POSTGRES_CONNECT_TIMEOUT_MS = 5 * SECOND;
