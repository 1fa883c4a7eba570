import { CAPITAL_MONTHS, englishMonth } from './months.js';
import { wholeNumeral } from './numerals.js';
import type { Reading } from './words.js';

/** A date with the parts that the text states. A quarter is also a date. */
export interface DateClaim {
  y?: number;
  m?: number;
  d?: number;
  q?: number;
}

/** A date and its position in the text. The parts that a text does not state are inferred from a day, or absent. */
export type FoundDate = Reading<DateClaim>;

const N = '(?:\\d{1,4}|[〇零一二三四五六七八九十百]{1,6})';
const MONTH = `(${CAPITAL_MONTHS})\\.?`;

/** Forms of dates in matching order: the longest first. */
const FORMS: readonly [RegExp, (parts: readonly (string | undefined)[]) => DateClaim | null][] = [
  [
    new RegExp(`(民國|西元)? ?(${N}) ?年 ?(${N}) ?月 ?(${N}) ?[日號]`, 'gu'),
    ([, era, y, m, d]) => toDateClaim(parseYear(y, era), m, d),
  ],
  [
    new RegExp(`(民國|西元)? ?(${N}) ?年 ?(${N}) ?月(?!薪)`, 'gu'),
    ([, era, y, m]) => toDateClaim(parseYear(y, era), m),
  ],
  [
    /(?<![\d.])(\d{3,4})[-/.](\d{1,2})[-/.](\d{1,2})(?![\d.]\d|\d)/gu,
    ([, y, m, d]) => toDateClaim(parseYear(y), m, d),
  ],
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)? (?:of )?${MONTH}(?:,? (\\d{4}))?\\b`, 'gu'),
    ([, d, m, y]) => toDateClaim(y === undefined ? undefined : parseYear(y), englishMonth(m ?? ''), d),
  ],
  [
    new RegExp(`\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?(?:,? (\\d{4}))?\\b(?!\\d)`, 'gu'),
    ([, m, d, y]) => toDateClaim(y === undefined ? undefined : parseYear(y), englishMonth(m ?? ''), d),
  ],
  [
    new RegExp(`\\b${MONTH} (\\d{4})\\b`, 'gu'),
    ([, m, y]) => toDateClaim(parseYear(y), englishMonth(m ?? '')),
  ],
  [new RegExp(`(?<!個)(${N}) ?月 ?(${N}) ?[日號]`, 'gu'), ([, m, d]) => toDateClaim(undefined, m, d)],
  [
    new RegExp(`(民國|西元)? ?(${N}) ?年(?![級期限後前內])`, 'gu'),
    ([, era, y]) => toDateClaim(parseYear(y, era)),
  ],
  [
    new RegExp(`(?<![個\\d])(${N}) ?月(?:份|底|初|中旬|起)?(?![薪票費臺台球光])`, 'gu'),
    ([, m]) => toDateClaim(undefined, m),
  ],
  [/第([一二三四1-4]) ?季/gu, ([, q]) => ({ q: wholeNumeral(q ?? '') ?? 0 })],
  [/\bQ([1-4])\b/gu, ([, q]) => ({ q: Number(q) })],
  [
    /\b(first|second|third|fourth) quarter\b/giu,
    ([, q]) => ({ q: ['first', 'second', 'third', 'fourth'].indexOf((q ?? '').toLowerCase()) + 1 }),
  ],
  [/(?<![\d.,/])(\d{1,2})\/(\d{1,2})(?![\d/])/gu, ([, m, d]) => toDateClaim(undefined, m, d)],
  [
    new RegExp(
      `\\b(?:in|by|since|until|of|from|to|and|last|next|this|late|early|mid) ${MONTH}(?! \\d)\\b`,
      'gu',
    ),
    ([, m]) => toDateClaim(undefined, englishMonth(m ?? '')),
  ],
  [
    new RegExp(`(?<![\\d個〇零一二三四五六七八九十百])(${N}) ?[日號](?![圓元本間曆光夜])`, 'gu'),
    ([, d]) => toDateClaim(undefined, undefined, d),
  ],
  [
    /(?<![\d.,$/-])((?:19|20)\d{2})(?![\d.,/]\d|\d|-\d| ?(?:萬|億|兆|元|人|戶|件|名|家|%|年|million|billion|thousand|people|households|dollars|cases|kWh|MW))/gu,
    ([, y]) => toDateClaim(parseYear(y)),
  ],
];

/**
 * Returns every date in a text, in the calendars and spellings of Taiwan's press and in English. Dates do not
 * overlap.
 */
export function datesIn(text: string): FoundDate[] {
  const covered = new Uint8Array(text.length);
  const dates: FoundDate[] = [];
  for (const [form, read] of FORMS) {
    for (const match of text.matchAll(form)) {
      const from = match.index + (match[0].length - match[0].trimStart().length);
      const to = match.index + match[0].length;
      if (covered[from] === 1 || covered[to - 1] === 1) continue;
      const date = read(match);
      if (date === null) continue;
      covered.fill(1, from, to);
      dates.push({ value: date, inferred: [], from, to, said: match[0].trim() });
    }
  }
  return dates.sort((a, b) => a.from - b.from);
}

/** Returns the date of an ISO time, or null if the text is no ISO time. */
export function dateOfIso(iso: string | null): DateClaim | null {
  const [, y, m, d] = /^(\d{4})-(\d{2})-(\d{2})/.exec(iso ?? '') ?? [];
  return y === undefined ? null : { y: Number(y), m: Number(m), d: Number(d) };
}

/** Returns the year; years of the Republic of China count from 1911. null: not a plausible year. */
function parseYear(said: string | undefined, era?: string): number | null {
  const year = wholeNumeral(said ?? '');
  if (year === null) return null;
  if (era === '民國') return year > 0 && year < 200 ? year + 1911 : null;
  if (era === undefined && year >= 60 && year <= 150) return year + 1911;
  return year >= 1800 && year <= 2200 ? year : null;
}

function toDateClaim(y: number | null | undefined, m?: string | number | null, d?: string): DateClaim | null {
  if (y === null) return null;
  const month = typeof m === 'string' ? wholeNumeral(m) : m;
  const day = d === undefined ? undefined : wholeNumeral(d);
  if (month === null || day === null) return null;
  if ((month !== undefined && (month < 1 || month > 12)) || (day !== undefined && (day < 1 || day > 31)))
    return null;
  return {
    ...(y === undefined ? {} : { y }),
    ...(month === undefined ? {} : { m: month }),
    ...(day === undefined ? {} : { d: day }),
  };
}

/**
 * Returns whether a date of a source supports a claimed one. The source must have every claimed part. If its
 * date has no year, the year may be any of `years`, the years that the source mentions.
 */
export function sameDate(claimed: DateClaim, source: DateClaim, years: ReadonlySet<number>): boolean {
  if (claimed.q !== undefined) return claimed.q === source.q;
  if (claimed.m !== undefined && claimed.m !== source.m) return false;
  if (claimed.d !== undefined && claimed.d !== source.d) return false;
  if (claimed.y === undefined) return true;
  return source.y === undefined ? years.has(claimed.y) : source.y === claimed.y;
}

/** Years and months that are named relative to a day, with the number of months from it. */
const RELATIVE: readonly (readonly [form: RegExp, part: 'y' | 'm', months: number])[] = [
  [/前年/gu, 'y', -24],
  [/去年|\blast year\b/giu, 'y', -12],
  [/今年|\bthis year\b/giu, 'y', 0],
  [/明年|\bnext year\b/giu, 'y', 12],
  [/上個?月|\blast month\b/giu, 'm', -1],
  [/本月|這個月|\bthis month\b/giu, 'm', 0],
  [/下個?月|\bnext month\b/giu, 'm', 1],
];

/** Returns the years and months that a text names relative to a day, such as that of its publication: 明年, last month. */
export function relativeDatesIn(text: string, day: DateClaim | null): FoundDate[] {
  const { y, m } = day ?? {};
  if (y === undefined || m === undefined) return [];
  return RELATIVE.flatMap(([form, part, months]) =>
    [...text.matchAll(form)].map(({ 0: said, index: from }): FoundDate => {
      const at = y * 12 + (m - 1) + months;
      const year = Math.floor(at / 12);
      return {
        value: part === 'y' ? { y: year } : { y: year, m: (at % 12) + 1 },
        inferred: part === 'y' ? ['y'] : ['y', 'm'],
        from,
        to: from + said.length,
        said,
      };
    }),
  );
}
