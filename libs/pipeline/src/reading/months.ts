import table from './words/months.json' with { type: 'json' };

const names = (locale: string, style: 'long' | 'short', withDay: boolean): string[] => {
  const form = new Intl.DateTimeFormat(locale, {
    month: style,
    timeZone: 'UTC',
    ...(withDay ? { day: 'numeric' } : {}),
  });
  return Array.from({ length: 12 }, (_, month) => {
    const part = form.formatToParts(Date.UTC(2026, month, 15)).find(({ type }) => type === 'month');
    return part?.value.toLowerCase().replace(/\.$/, '') ?? '';
  });
};
// Many languages inflect the month after a day.
const allNames = (locale: string): string[][] =>
  (['long', 'short'] as const).flatMap((style) => [names(locale, style, true), names(locale, style, false)]);

/** Names of the months in English, in lower case. */
export const ENGLISH_MONTHS: readonly string[] = names('en', 'long', false);
/** Names of the days of the week in English, in lower case. */
export const ENGLISH_WEEKDAYS: readonly string[] = Array.from({ length: 7 }, (_, day) =>
  new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })
    .format(Date.UTC(2026, 0, 4 + day))
    .toLowerCase(),
);
/** First letters of the names of months in English, for patterns. */
export const MONTH_STARTS = ENGLISH_MONTHS.map((name) => name.slice(0, 3)).join('|');
/** Names of the months in English with a capital, long or short, for patterns. */
export const CAPITAL_MONTHS = ENGLISH_MONTHS.map((name) => {
  const rest = name.slice(3);
  const start = `${name.charAt(0).toUpperCase()}${name.slice(1, 3)}`;
  if (rest === '') return start;
  return name.startsWith('sep') ? 'Sept?(?:ember)?' : `${start}(?:${rest})?`;
}).join('|');

/** Returns the month, from 1, of an English name, long or short and in any case; null: it is none. */
export function englishMonth(word: string): number | null {
  const name = word.toLowerCase();
  const at = ENGLISH_MONTHS.findIndex(
    (one) => one === name || one.slice(0, 3) === name || (name === 'sept' && one === 'september'),
  );
  return at < 0 ? null : at + 1;
}

const monthsByName = new Map<string, Set<number>>();
const add = (name: string, month: number) =>
  monthsByName.set(name, (monthsByName.get(name) ?? new Set()).add(month));
for (const [name, month] of Object.entries(table.spellings)) add(name, month);
for (const locale of [...table.dayFirst, ...table.read])
  for (const list of allNames(locale)) list.forEach((name, i) => add(name, i + 1));
const dayFirst = new Set([
  ...Object.keys(table.spellings),
  ...table.dayFirst.flatMap((locale) => allNames(locale).flat()),
]);

/**
 * Returns the month, from 1, of a name in lower case in any language of `months.json`; null: it is none, or it
 * means different months in two languages.
 */
export function monthNamed(name: string): number | null {
  const [month, ...others] = monthsByName.get(name) ?? [];
  return month === undefined || others.length > 0 ? null : month;
}

/** Returns whether a word in lower case is a month of a language that writes a point after the day before it. */
export const followsOrdinal = (word: string): boolean => dayFirst.has(word) && /^\p{L}/u.test(word);

const long = new Set(table.abbreviated.flatMap((locale) => names(locale, 'long', true)));
const short = new Set([
  ...Object.keys(table.spellings),
  ...table.abbreviated.flatMap((locale) => names(locale, 'short', true)),
]);

/** Returns whether a word in lower case is an abbreviated month, which has a point behind it. */
export const isShortMonth = (word: string): boolean => short.has(word) && !long.has(word);
