import type { Fact } from '@casefile/contracts';

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;
const HOUR_MS = 3_600_000;

export type TimeUnit = 'hours' | 'days';

export interface Moment {
  /** Of midnight, as if the date were one of UTC. */
  dateMs: number;
  /** Since midnight; null: only the day is known. */
  timeMs: number | null;
  /** As it was written; '' where none was. */
  offset: string;
}

/** The day or time that a value writes in the form of ISO 8601; null: it is none, or one that no calendar has. */
export function momentOf(value: Fact['value']): Moment | null {
  const [, date, time, seconds = '00', offset = ''] =
    (typeof value === 'string' && MOMENT.exec(value.trim())) || [];
  if (date === undefined) return null;
  const dateMs = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(dateMs) || new Date(dateMs).toISOString().slice(0, 10) !== date) return null;
  if (time === undefined) return { dateMs, timeMs: null, offset };
  const timeMs = Date.parse(`1970-01-01T${time}:${seconds}Z`);
  return Number.isNaN(timeMs) ? null : { dateMs, timeMs, offset };
}

/**
 * From one moment to another. Days are counted from the day after the first, whole and whatever the time of day; hours
 * run without a break and need both times. null where it cannot be told, as with offsets that differ.
 */
export function timeBetween(from: Moment, to: Moment, unit: TimeUnit): number | null {
  if (from.offset !== to.offset && from.timeMs !== null && to.timeMs !== null) return null;
  if (unit === 'days') return Math.round((to.dateMs - from.dateMs) / (24 * HOUR_MS));
  if (from.timeMs === null || to.timeMs === null) return null;
  return (to.dateMs + to.timeMs - from.dateMs - from.timeMs) / HOUR_MS;
}
