/** Thousands by commas, blanks or apostrophes in groups of three; a point before decimals. */
const GROUPED = /^[-+]?(?:[1-9]\d{0,2}(?:[, '\u00a0\u202f]\d{3})+|\d+)(?:\.\d+)?$/;
/** Thousands by points in groups of three; a comma before decimals. */
const POINTS = /^[-+]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/;
const DECIMAL_COMMA = /^[-+]?\d+,(?:\d{1,2}|\d{4,})$/;
const LONGEST_NUMBER = 40;

/**
 * Returns the number that digits write; null: they write none, or it has two readings.
 * @param language A point before three digits separates thousands except in English.
 */
export function parseNumber(written: string, language = 'en'): number | null {
  const text = written.trim();
  if (text.length > LONGEST_NUMBER) return null;
  if (DECIMAL_COMMA.test(text)) return Number(text.replace(',', '.'));
  if (!language.startsWith('en') && POINTS.test(text))
    return Number(text.replaceAll('.', '').replace(',', '.'));
  return GROUPED.test(text) ? Number(text.replace(/[, '\u00a0\u202f]/g, '')) : null;
}

/** Thousands by blanks in groups of three, or groups of digits with points or commas between them. */
const NUMBERS = /(?<!\d)\d{1,3}(?: \d{3}(?!\d)){1,4}|\d{1,15}(?:[.,]\d{1,9}){0,4}/g;

/**
 * Returns the numbers that digits write in a text of unknown language, to be compared with those of other texts: with a
 * point for each separator, and without a fraction of zero. `8,2` and `8.2`, `87 430` and `87.430`, `2,0` and `2` are
 * the same.
 */
export function digitNumbersIn(text: string): string[] {
  const written = text.normalize('NFKC').match(NUMBERS) ?? [];
  return written.map((one) => one.replace(/[, ]/g, '.').replace(/\.0{1,2}$/, ''));
}
