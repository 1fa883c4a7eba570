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
