import { textOf } from './linked-data.js';

const ISO = /^\d{4}(?:-\d{2}|$)/;
/**
 * Matches a month by name and a year, perhaps with a time and zone: `12 Mar 2026`, `Mar 12, 2026`, `Thu, 12
 * Mar 2026 08:00:00 GMT`.
 */
const WRITTEN =
  /^(?:[A-Z][a-z]{2,8},? )?(?:\d{1,2} [A-Z][a-z]{2,8}\.?|[A-Z][a-z]{2,8}\.? \d{1,2},?) \d{4}(?<time> \d{2}:\d{2}(?::\d{2})? (?:GMT|UTC|Z|[+-]\d{4}))?$/;

/** Returns the day of a result in ISO form, or null: `3 days ago` depends on when it was written. */
export function publishedDay(value: unknown): string | null {
  const text = textOf(value).slice(0, 64);
  if (ISO.test(text)) return Number.isNaN(Date.parse(text)) ? null : text;
  const written = WRITTEN.exec(text);
  if (written === null) return null;
  const at = Date.parse(written.groups?.['time'] === undefined ? `${text} UTC` : text);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}
