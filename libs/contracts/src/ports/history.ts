import type { QueueDepth } from './queue.js';

/** Metrics over time. Latencies are from acceptance to verdict. */
export const SERIES_METRICS = [
  'verdicts',
  'latency_p50',
  'latency_p95',
  'cost',
  'tokens',
  'queue_depth',
  'queue_age',
  'failures',
] as const;
export type SeriesMetric = (typeof SERIES_METRICS)[number];

export const SERIES_STEPS = ['minute', 'hour', 'day'] as const;
export type SeriesStep = (typeof SERIES_STEPS)[number];

/** `name`: the queue, or the stage or tool that failed. The others are columns of verdicts. */
export const SERIES_GROUPS = ['playbook', 'disposition', 'model', 'name'] as const;
export type SeriesGrouping = (typeof SERIES_GROUPS)[number];

export interface SeriesQuery {
  metric: SeriesMetric;
  /** ISO 8601: from (inclusive), to (exclusive). */
  from: string;
  to: string;
  step: SeriesStep;
  /** Default: one series of everything. */
  by?: SeriesGrouping;
}

/** The value of a metric in one step of time. Steps without data have no point. */
export interface SeriesPoint {
  /** Start of the step, ISO 8601. */
  at: string;
  /** null: not grouped. */
  group: string | null;
  value: number;
}

/**
 * Metrics over time, from figures of verdicts and from samples, without a scan of the record. Samples are kept
 * per minute for 48 hours and per hour for 90 days.
 */
export interface History {
  /**
   * Records depth and oldest age of the queues for the current minute. The highest values of a minute are
   * kept.
   */
  sample(depths: readonly Pick<QueueDepth, 'queue' | 'waiting' | 'oldestMs'>[]): Promise<void>;
  /**
   * Counts failures per minute, sums minutes to hours, and removes old samples. Idempotent: each minute and hour
   * is computed as a whole.
   * @param sinceMs length of the period up to now that is computed, in milliseconds; at most 47 hours
   */
  sum(sinceMs: number): Promise<void>;
  /** Returns the points of a metric, oldest first. */
  series(query: SeriesQuery): Promise<SeriesPoint[]>;
}
