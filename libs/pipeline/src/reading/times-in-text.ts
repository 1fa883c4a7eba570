import words from './words/since.json' with { type: 'json' };
import type { Reading } from './words.js';

/** `2026-03-02T09:05`, with or without seconds and zone. */
const FULL_TIME =
  /\b(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:\.\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2})?/g;
/** `09:05` that is not part of a longer figure, a date or a port. */
const CLOCK = /(?<![\d:.,T+-]|\d )([01]\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?(?![\d:])/g;
const DAY_MS = 86_400_000;

const TIME = String.raw`((?:\d{4}-\d\d-\d\d[T ])?)(\d{1,2})(?:[:.h]|時|点|點|시)(\d\d)?(?::(\d\d)(?:[.,]\d{1,6})?)?`;
const ZONE = String.raw`\s?(Z|UTC|GMT|[+-]\d\d:?\d\d|[AaPp]\.?[Mm]\.?)?(?![\p{L}\d])`;
const SINCE = [
  new RegExp(
    String.raw`(?<!\p{L})(?:${words.before})[\s.]{0,3}(?:(?:${words.between})[\s.]{1,3}){0,2}${TIME}${ZONE}`,
    'iu',
  ),
  // In some languages the word follows the time, such as "10時から".
  new RegExp(String.raw`(?<![\d:.])${TIME}()(?:分)?\s?(?:${words.behind})`, 'u'),
  // A log line, or the time of an alert template.
  new RegExp(
    String.raw`^[\s[(<]{0,8}(\d{4}-\d\d-\d\d[T ])(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,6})?)?${ZONE}`,
    'mu',
  ),
];
const EXAMINED = 4_000;
const LONGEST = 60;
/** Largest lead of a clock time over the time at which the text was received, in milliseconds. */
const AHEAD_MS = 10 * 60_000;

const instantOf = (day: string, clock: string, zone: string): number =>
  Date.parse(`${day}T${clock}${zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`);

/**
 * Returns the latest time in a text, in milliseconds since the epoch; null: no time. A time without a zone is
 * in UTC. A time of day without a date is the one closest to `near`, and is ignored if `near` is null.
 */
export function latestTimeIn(text: string, near: number | null): number | null {
  const times = [...text.matchAll(FULL_TIME)].map(([, day = '', minutes, seconds = '00', zone = 'Z']) =>
    instantOf(day, `${minutes}:${seconds}`, zone),
  );
  const clocks =
    near === null
      ? []
      : [...text.replace(FULL_TIME, ' ').matchAll(CLOCK)].map(([, hours, minutes]) =>
          nextTo(near, (Number(hours) * 60 + Number(minutes)) * 60_000),
        );
  const known = [...times, ...clocks].filter((time) => !Number.isNaN(time));
  return known.length === 0 ? null : known.reduce((latest, one) => Math.max(latest, one));
}

/** Returns the time with this time of day that is at most half a day from `near`. */
function nextTo(near: number, timeOfDay: number): number {
  const time = near - (near % DAY_MS) + timeOfDay;
  const apart = time - near;
  if (apart > DAY_MS / 2) return time - DAY_MS;
  return apart < -DAY_MS / 2 ? time + DAY_MS : time;
}

/**
 * Returns the time from which a text reports its problem, in ISO 8601; null: it states none. The value is null if
 * the text has no time zone. The day of a clock time is inferred: it is the last such time before `receivedAt`.
 * @param receivedAt ISO 8601.
 */
export function sinceInText(text: string, receivedAt: string): Reading<string | null, 'day'> | null {
  const head = text.slice(0, EXAMINED);
  for (const form of SINCE) {
    const match = form.exec(head);
    if (match === null) continue;
    const [whole, date = '', hour = '', minute = '00', second = '00', zone = ''] = match;
    if (Number(hour) > 23 || Number(minute) > 59) continue;
    const offset = /^(?:z|utc|gmt)$/i.test(zone) ? 'Z' : /^[+-]/.test(zone) ? zone : null;
    const day = date === '' ? receivedAt.slice(0, 10) : date.slice(0, 10);
    const stated =
      offset === null ? NaN : instantOf(day, `${hour.padStart(2, '0')}:${minute}:${second}`, offset);
    const isYesterday = date === '' && stated > Date.parse(receivedAt) + AHEAD_MS;
    const at = isYesterday ? stated - DAY_MS : stated;
    return {
      value: Number.isNaN(at) ? null : new Date(at).toISOString(),
      inferred: date === '' ? ['day'] : [],
      from: match.index,
      to: match.index + whole.length,
      said: whole.trim().slice(0, LONGEST),
    };
  }
  return null;
}
