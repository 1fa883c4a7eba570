import { z } from 'zod';

/**
 * The range of years that Postgres and ISO 8601 both write in four digits (Postgres has no year 0). In
 * milliseconds, UTC.
 */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');
/** Maximum length. A longer text has more digits than any clock produces. */
const MOST_CHARACTERS = 40;

/**
 * Returns the instant in milliseconds since the epoch. null: the text is no time, or outside the years 1 to
 * 9999.
 */
export function instantMs(text: string): number | null {
  const at = Date.parse(text);
  return at >= FIRST_MS && at <= LAST_MS ? at : null;
}

const isShort = (text: string): boolean => text.length <= MOST_CHARACTERS;
const LONG = { error: `expected at most ${MOST_CHARACTERS} characters`, abort: true };
const isInYears = (text: string): boolean => instantMs(text) !== null;
const OUTSIDE = { error: 'expected a year from 0001 to 9999', abort: true };

/** A time with its zone in ISO 8601. */
export const instantSchema = z.iso
  .datetime({
    offset: true,
    error: 'expected a time with its zone (2026-01-31T10:00:00Z)',
    abort: true,
  })
  .refine(isShort, LONG)
  .refine(isInYears, OUTSIDE);

/** A date, or a time with its zone. */
export const timeSchema = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: 'expected a date (2026-01-31) or a time with its zone (2026-01-31T10:00:00Z)',
  })
  .refine(isShort, LONG)
  .refine(isInYears, OUTSIDE);
