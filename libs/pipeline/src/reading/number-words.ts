import numbers from './words/numbers.json' with { type: 'json' };

const { en, de } = numbers;
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

/** A letter with a mark is no end of a word: `tenía` has no ten. */
const IN_TEXT = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${NUMBER_WORDS})(?![\\p{L}\\p{N}_])`, 'giu');

/** A number in words, and its position in a text. */
interface WordNumber {
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
