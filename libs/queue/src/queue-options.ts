import type { JobsOptions } from 'bullmq';

const SECOND = 1_000;
const DAY_S = 86_400;

/** Options of workers, with reasons. All other options have BullMQ's defaults. */
export const WORKER_OPTIONS = {
  /**
   * Time after which a dead worker's job is free. With the check below, another worker takes it within 10 s.
   * BullMQ's default is 30 s.
   */
  lockDuration: 6 * SECOND,
  /**
   * Interval of the search for jobs of dead workers. BullMQ's default of 30 s alone would exceed the 10 s.
   */
  stalledInterval: 2 * SECOND,
  /**
   * Wait of an idle worker, in seconds, before it asks again. A new job wakes it immediately. With BullMQ's default of
   * 5 s, the workers of one process sent 115 commands per second for nothing. A connection that hangs without an error
   * is found after this time.
   */
  drainDelay: 30,
  /**
   * With BullMQ's default of 1, the second death of a worker fails the job whatever `attempts` says. This
   * lost 60 of 60 jobs. Postgres counts crashes per step and quarantines units, so the queue never fails a
   * job for this.
   */
  maxStalledCount: 1_000,
  /**
   * Wait between fetches while the store is unavailable. BullMQ's default of 15 s would leave a worker deaf
   * after an outage.
   */
  runRetryDelay: SECOND / 2,
} as const;

/**
 * Interval in which a process searches all its queues for jobs of dead workers, in milliseconds. If a worker died before
 * it could note its queue and none replaces it, the second of these searches frees the job.
 */
export const ALL_QUEUES_CHECKED_EVERY_MS = 120 * SECOND;

/** Time for which a queue stays noted, in milliseconds: much longer than the lock of a dead worker. */
export const NOTED_FOR_MS = 60 * SECOND;

/**
 * Options of wake-ups for stages and tool calls. Postgres is authoritative, so a wake-up may be lost at any
 * time.
 */
export const WAKE_UP_OPTIONS = {
  /**
   * A handler throws only if it cannot write (the database is unavailable). After a minute of attempts, the
   * sweeper wakes the unit.
   */
  attempts: 60,
  /**
   * Work must continue within 2 s of the end of an outage. The jitter spreads the retries of a thousand jobs.
   */
  backoff: { type: 'fixed', delay: SECOND, jitter: 0.5 },
  /** A million finished jobs would take a gigabyte of Redis, and the record has all their data. */
  removeOnComplete: true,
  /** Enough to see on the board why jobs failed. */
  removeOnFail: { age: 7 * DAY_S, count: 1_000 },
} as const satisfies JobsOptions;

/** Options of alerts that Casefile adds. Other senders set their own options. */
export const ALERT_OPTIONS = {
  /**
   * Until an alert is accepted, it exists only in the queue. It is retried for about a minute, and kept
   * permanently if it fails.
   */
  attempts: 60,
  backoff: { type: 'fixed', delay: SECOND, jitter: 0.5 },
  removeOnComplete: { age: DAY_S, count: 1_000 },
  removeOnFail: false,
} as const satisfies JobsOptions;

/** Options of outgoing verdicts, for their consumers. */
export const VERDICT_OPTIONS = {
  attempts: 10,
  backoff: { type: 'exponential', delay: SECOND },
  /**
   * A delivery cannot be added twice while its job exists. It exists for a day, longer than any redelivery
   * takes.
   */
  removeOnComplete: { age: DAY_S, count: 100_000 },
  removeOnFail: false,
} as const satisfies JobsOptions;

/**
 * Default limit for verdicts that no receiver takes. The record has all of them. A setting overrides the
 * limit.
 */
export const UNTAKEN_VERDICTS = 10_000;
/** A receiver that has taken no verdict for this long counts as absent. */
export const TAKEN_WITHIN_MS = DAY_S * SECOND;

/**
 * A job that shows that the store was not emptied: it has no consumer, so its absence shows a loss. A delay of
 * a year keeps it from looking like work.
 */
export const SENTINEL_OPTIONS = { delay: 365 * DAY_S * SECOND } as const satisfies JobsOptions;

/** No service reads event streams; this length is for people. BullMQ's default is 10,000 per queue. */
export const STREAMS = { events: { maxLen: 1_000 } } as const;

/** Jobs per `addBulk`. On Redis, one call runs one script, which blocks all other clients meanwhile. */
export const MOST_AT_ONCE = 500;
/** Concurrent queries when many jobs are read. */
export const JOB_READS_AT_ONCE = 100;

/**
 * A queue of a stage with at least this many slots gets two workers, because a worker fetches one job at a time. Two
 * workers were 75 % faster in a closed loop.
 */
export const TWO_WORKERS_FROM = 4;

/** Share of a limited rate for live work. The other lanes get the rest, so that neither starves. */
export const LIVE_SHARE = 0.75;

/** Time limit for one call of the sending side, in milliseconds. The sweeper nudges late units again. */
export const SEND_PATIENCE_MS = 5 * SECOND;
/** Time limit, after the grace period, for running jobs that were asked to stop. */
export const ABORT_PATIENCE_MS = 2 * SECOND;

/** Time limit for workers to release the store. With an available store this takes a few milliseconds. */
export const CLOSE_PATIENCE_MS = 3 * SECOND;

/** First and longest wait before an alert is retried after a temporary failure. */
export const PUT_OFF = { firstMs: SECOND / 2, longestMs: 15 * SECOND } as const;

/**
 * Reconnect delay. ioredis' own back-off grows to 20 s and left workers deaf for 18 s after Redis was back.
 */
export const redisRetryDelay = (times: number): number => Math.min(50 * 2 ** Math.min(times, 10), SECOND);
/** A Redis that accepts a connection but does not answer counts as unavailable. */
export const REDIS_CONNECT_TIMEOUT_MS = 5 * SECOND;
/**
 * Concurrent queries of one process on the Postgres store. One additional connection listens for all its
 * workers.
 */
export const POSTGRES_POOL_SIZE = 4;
export const POSTGRES_CONNECT_TIMEOUT_MS = 5 * SECOND;
/**
 * Intervals in which a Redis is proven again, in milliseconds. A proof takes seven commands. After a failure it is
 * soon tried again, because somebody may be correcting the server.
 */
export const PROOF_INTERVALS_MS = { proven: 60 * SECOND, failed: 5 * SECOND } as const;
