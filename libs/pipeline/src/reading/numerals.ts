import numbers from './words/numbers.json' with { type: 'json' };

/** A number at a position of a text: in digits, in Chinese numerals, or in both (3億5,000萬). */
export interface Numeral {
  value: number;
  end: number;
  /** true: written with digits; false: Chinese numerals alone. */
  hasFigures: boolean;
  /**
   * Whether it has no thousands separator, decimal point or scale, so that it may be a year or a list number.
   */
  isPlain: boolean;
}

const { han, en, de } = numbers;
const signs = (...tables: Readonly<Record<string, number>>[]): Map<string, number> =>
  new Map(
    tables.flatMap((table) =>
      Object.entries(table).flatMap(([all, value]) => [...all].map((sign) => [sign, value] as const)),
    ),
  );
const digits = (list: string) => Object.fromEntries(list.split(' ').map((all, value) => [all, value]));
const DIGIT = signs(digits(han.digits), digits(han.formal));
const SMALL = signs(han.small, han.formalSmall);
const LARGE = signs(han.large);

/** Signs of Chinese numerals in everyday writing, for patterns. */
export const HAN_NUMERALS = [
  han.digits.replaceAll(' ', ''),
  ...Object.keys({ ...han.small, ...han.large }),
].join('');

const isFigure = (char: string | undefined): boolean => char !== undefined && char >= '0' && char <= '9';
const isDigit = (char: string | undefined): boolean => DIGIT.has(char ?? '');

/**
 * Reads the number at a position, or returns null if there is none. Chinese digits without a scale are read
 * one by one (二〇二五). Reads each character once.
 */
export function numeralAt(text: string, at: number): Numeral | null {
  let total = 0;
  let section = 0;
  let current: number | null = null;
  let digits = 0;
  let hasFigures = false;
  let isPlain = true;
  let i = at;
  while (i < text.length) {
    const char = text[i] as string;
    const [digit, small, large] = [DIGIT.get(char), SMALL.get(char), LARGE.get(char)];
    if (isFigure(char)) {
      if (current !== null) break;
      const figures = figuresAt(text, i);
      current = figures.value;
      isPlain &&= figures.isPlain;
      hasFigures = true;
      i = figures.end;
      continue;
    }
    if (digit !== undefined) {
      if (current !== null && hasFigures) break;
      current = digits > 0 && current !== null ? current * 10 + digit : digit;
      digits += 1;
    } else if (small !== undefined) {
      if (current === null && i > at && section === 0 && total === 0) break;
      section += (current ?? 1) * small;
    } else if (large !== undefined) {
      if (i === at) return null;
      total += (section + (current ?? 0)) * large;
      section = 0;
    } else if (char === '點' && current !== null && !hasFigures && isDigit(text[i + 1])) {
      let decimals = '0.';
      while (isDigit(text[i + 1])) decimals += DIGIT.get(text[++i]!)!;
      current += Number(decimals);
      isPlain = false;
    } else break;
    if (small !== undefined || large !== undefined) {
      current = null;
      digits = 0;
      isPlain = false;
    }
    i += 1;
  }
  if (i === at) return null;
  return { value: round(total + section + (current ?? 0)), end: i, hasFigures, isPlain };
}

function figuresAt(text: string, at: number): { value: number; end: number; isPlain: boolean } {
  let end = at;
  let written = '';
  while (isFigure(text[end])) written += text[end++];
  let isPlain = true;
  // Groups of three digits, each after its own separator.
  while (
    written.length <= 24 &&
    text[end] === ',' &&
    [1, 2, 3].every((n) => isFigure(text[end + n])) &&
    !isFigure(text[end + 4])
  ) {
    written += text.slice(end + 1, end + 4);
    end += 4;
    isPlain = false;
  }
  if (text[end] === '.' && isFigure(text[end + 1])) {
    written += '.';
    end += 1;
    while (isFigure(text[end])) written += text[end++];
    isPlain = false;
  }
  return { value: Number(written), end, isPlain };
}

/** Removes the error of binary fractions, so that 3.1 equals 310/100. */
export function round(value: number): number {
  return Number(value.toPrecision(12));
}

/** Returns the numeral if it is the whole text, else null. */
export function wholeNumeral(text: string): number | null {
  const read = numeralAt(text, 0);
  return read !== null && read.end === text.length ? read.value : null;
}

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

const words = (small: string, tens: string): [string, number][] => [
  ...small.split(' ').map((word, i): [string, number] => [word, i + 1]),
  ...tens.split(' ').map((word, i): [string, number] => [word, (i + 2) * 10]),
];
const ENGLISH = new Map(words(en.small, en.tens));
const SCALES = new Map(Object.entries(en.scales));
const NUMBERS = new Map([...words(de.small, de.tens), ...Object.entries(en.times), ...ENGLISH]);

const longestFirst = (all: Iterable<string>): string =>
  [...all].toSorted((a, b) => b.length - a.length).join('|');
const [ONE = '', ...MORE] = en.small.split(' ');
const ONES = [ONE, ...MORE.slice(0, 8)].join('|');
const TENS = `(?:${en.tens.replaceAll(' ', '|')})(?:-(?:${ONES}))?`;
const HUNDREDS = `(?:${ONES})[ -]hundred(?:(?: and)?[ -](?:${TENS}|${longestFirst([ONE, ...MORE])}))?`;
// `one` alone is mostly an article.
const NUMBER_WORDS = `${HUNDREDS}|${TENS}|${longestFirst(MORE)}`;
/** A word of English for a number below a hundred, for patterns. */
export const NUMBER_WORD = longestFirst(ENGLISH.keys());
/** Words of English and German for numbers from two on, for patterns. */
export const WRITTEN_NUMBER = `${NUMBER_WORDS}|${longestFirst([
  ...Object.keys(en.times),
  ...words(de.small, de.tens)
    .map(([word]) => word)
    .slice(1),
])}`;

const IN_TEXT = new RegExp(`\\b(?:${NUMBER_WORDS})\\b`, 'giu');

/** A number in words, and its position in a text. */
export interface WordNumber {
  value: number;
  from: number;
  end: number;
  /** true: a single word such as `three`, which a sentence may have without a claim. */
  isWord: boolean;
}

/** Returns the numbers that a text writes in English words, from two to 999. Linear. */
export function wordNumbersIn(text: string): WordNumber[] {
  return [...text.matchAll(IN_TEXT)].map(({ 0: said, index: from }) => ({
    value: writtenNumber(said)!,
    from,
    end: from + said.length,
    isWord: /^\p{L}+$/u.test(said),
  }));
}

/** Words of English for scales, for patterns. */
export const SCALE_WORD = [...SCALES.keys()].join('|');
const SCALE = new RegExp(`^[ -]?(${SCALE_WORD})\\b`, 'i');
const LONGEST_SCALE = 12;

/** Returns the factor that a word for a scale states; 1: no word. */
export const scaleFactor = (word = ''): number => SCALES.get(word.toLowerCase()) ?? 1;

/** Returns the word for a scale behind a number (` million`); empty: none. */
export const scaleBehind = (text: string, at: number): string =>
  SCALE.exec(text.slice(at, at + LONGEST_SCALE))?.[0] ?? '';

/**
 * Returns the number that words of English, or a word of German, state: `30`, `thirty`, `one hundred and twenty`,
 * `a`; null: they state none.
 */
export function writtenNumber(written: string): number | null {
  if (/^\d+$/.test(written)) return Number(written);
  const all = written.toLowerCase().split(/[\s-]+/);
  const at = all.indexOf('hundred');
  if (at === -1) return all.length === 1 && /^an?$/.test(all[0]!) ? 1 : belowHundred(all);
  const [hundreds, rest] = [all.slice(0, at), all.slice(at + 1)];
  const first =
    hundreds.length === 1 ? (hundreds[0] === 'a' ? 1 : ENGLISH.get(hundreds[0] ?? '')) : undefined;
  if (first === undefined || first > 9) return null;
  const below = rest.length === 0 ? 0 : belowHundred(rest[0] === 'and' ? rest.slice(1) : rest);
  return below === null ? null : first * 100 + below;
}

function belowHundred([word = '', next, ...more]: readonly string[]): number | null {
  const first = NUMBERS.get(word);
  if (first === undefined || more.length > 0) return null;
  if (next === undefined) return first;
  const second = ENGLISH.get(next);
  return first >= 20 && second !== undefined && second < 10 ? first + second : null;
}
