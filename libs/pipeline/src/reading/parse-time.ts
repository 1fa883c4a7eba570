import { monthNamed } from './months.js';
import type { TimeUnit } from './periods.js';

const TIME = String.raw`(?<time>\d{2}:\d{2})(?::(?<seconds>\d{2})(?:\.\d+)?)?(?<offset>Z|[+-]\d{2}:\d{2})?`;
const WITH_TIME = new RegExp(String.raw`^(?<day>.+?)(?:T|,?\s{1,3})${TIME}$`, 's');
const ISO = /^(?<year>\d{4})-(?<month>\d{2})-(?<date>\d{2})$/;
const YEAR_FIRST = /^(?<year>\d{4})([/.])(?<month>\d{1,2})\2(?<date>\d{1,2})$/;
// In dates with points, the day comes first in every country.
const POINTS = /^(?<date>\d{1,2})\.\s?(?<month>\d{1,2})\.\s?(?<year>\d{4})$/;
const EITHER_FIRST = /^(?<one>\d{1,2})([/-])(?<two>\d{1,2})\2(?<year>\d{4})$/;
const DAY_NAME =
  /^(?<date>\d{1,2})(?:\.|st|nd|rd|th|er|º)?(?:\s+(?:of|de))?[\s-]+(?<name>\p{L}{3,12})\.?(?:,|\s+de)?[\s-]+(?<year>\d{4})$/iu;
const NAME_DAY = /^(?<name>\p{L}{3,12})\.?\s+(?<date>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})$/iu;
const LONGEST = 60;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface ParsedTime {
  /** Midnight of the date as if it were in UTC, in milliseconds. */
  dateMs: number;
  /** Milliseconds since midnight; null: only the day is known. */
  timeMs: number | null;
  /** Time zone as written; '' if none is written. */
  offset: string;
}

/**
 * Returns the day or time that a value states, in ISO 8601 or another usual form; null: it states none, the
 * date does not exist, or it has two readings (`03/04/2026`).
 */
export function parseTime(value: string | number | boolean): ParsedTime | null {
  if (typeof value !== 'string' || value.length > LONGEST) return null;
  const written = value.trim();
  const { day = written, time, seconds = '00', offset = '' } = WITH_TIME.exec(written)?.groups ?? {};
  const dateMs = dayOf(day);
  if (dateMs === null) return null;
  if (time === undefined) return { dateMs, timeMs: null, offset };
  const timeMs = Date.parse(`1970-01-01T${time}:${seconds}Z`);
  return Number.isNaN(timeMs) ? null : { dateMs, timeMs, offset };
}

function dayOf(day: string): number | null {
  const figures = (ISO.exec(day) ?? YEAR_FIRST.exec(day) ?? POINTS.exec(day))?.groups;
  if (figures !== undefined) return yearDate(figures['year'], Number(figures['month']), figures['date']);
  const either = EITHER_FIRST.exec(day)?.groups;
  if (either !== undefined) {
    const { one, two, year } = either;
    const readings = [yearDate(year, Number(two), one), yearDate(year, Number(one), two)];
    const [reading, ...others] = new Set(readings.filter((ms) => ms !== null));
    return reading === undefined || others.length > 0 ? null : reading;
  }
  const named = (DAY_NAME.exec(day) ?? NAME_DAY.exec(day))?.groups;
  const month = monthNamed(named?.['name']?.toLowerCase() ?? '');
  return month === null ? null : yearDate(named?.['year'], month, named?.['date']);
}

function yearDate(year = '', month = 0, date = ''): number | null {
  const iso = `${year}-${String(month).padStart(2, '0')}-${date.padStart(2, '0')}`;
  const ms = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== iso ? null : ms;
}

/**
 * Returns the time from one time to another, in each possible reading; empty if it is unknown. Whole days
 * are counted from the day after the first, by local dates. Months end on the day with the same number. Hours
 * need both times of day.
 */
export function timesBetween(from: ParsedTime, to: ParsedTime, unit: TimeUnit): number[] {
  const timed = from.timeMs !== null && to.timeMs !== null;
  if (unit !== 'hours') {
    // Two offsets of one place may differ by an hour because of summer time. In two places the dates may
    // differ by a day.
    const shifts = !timed || isOnePlace(from.offset, to.offset) ? [0] : [0, -1, 1];
    const ends = shifts.map((days) => to.dateMs + days * DAY_MS);
    if (unit === 'months') return ends.flatMap((end) => monthsBetween(from.dateMs, end));
    return ends.map((end) => Math.round((end - from.dateMs) / DAY_MS));
  }
  if (from.timeMs === null || to.timeMs === null) return [];
  if ((from.offset === '') !== (to.offset === '')) return [];
  const [start, end] = [from.dateMs + from.timeMs, to.dateMs + to.timeMs];
  return [(end - start) / HOUR_MS - (offsetHours(to.offset) - offsetHours(from.offset))];
}

/**
 * Returns the months from one day to another, in each possible reading. A half stands for a part of a month.
 * From 31 January, one month ends on 28 February or, by some rules, on one of the next days.
 */
function monthsBetween(from: number, to: number): number[] {
  if (to < from) return [-1];
  const [start, end] = [new Date(from), new Date(to)];
  const apart =
    (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
  const whole = monthsLater(from, apart) <= to ? apart : apart - 1;
  const last = monthsLater(from, whole);
  if (last === to) return [whole];
  const isShort = new Date(last).getUTCDate() < start.getUTCDate();
  const isNear = to - last <= (start.getUTCDate() - new Date(last).getUTCDate()) * DAY_MS;
  return isShort && isNear ? [whole, whole + 0.5] : [whole + 0.5];
}

/** Returns the same day a number of months later, or the last day of a month without this day. */
function monthsLater(from: number, months: number): number {
  const date = new Date(from);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), last));
}

function isOnePlace(a: string, b: string): boolean {
  if (a === b) return true;
  return [a, b].every((offset) => /\d/.test(offset)) && Math.abs(offsetHours(a) - offsetHours(b)) === 1;
}

function offsetHours(offset: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):(\d{2})$/.exec(offset) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) + Number(minutes ?? 0) / 60);
}
