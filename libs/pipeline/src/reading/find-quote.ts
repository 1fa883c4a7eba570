import { sentencesIn, type Fact } from '@casefile/contracts';
import { parseNumber } from './digits.js';
import { isWhole } from './quote-boundaries.js';
import { countOf, countScripts } from './script.js';
import { unitFrom } from './units.js';
import type { Span } from './words.js';

/** Fewest letters and digits of a quote: shorter quotes occur anywhere. */
const LEAST_QUOTE = 8;

const MARKS_BEFORE = /^["'\s]+(?:[-*] )?/;
const SIGNS = /[\p{L}\p{N}]/gu;
const OUTER_MARK = /["'\s]/;

/** A quote in normal form, without quotation marks around it. */
export function normalQuote(quote: string): string {
  const text = normalText(quote).replace(MARKS_BEFORE, '');
  // Scanned from the end: a pattern anchored only at the end restarts at every mark within a text.
  let end = text.length;
  while (end > 0 && OUTER_MARK.test(text[end - 1] as string)) end -= 1;
  if (end < text.length && / [-*]$/.test(text.slice(Math.max(0, end - 2), end))) end -= 2;
  return text.slice(0, end).trim();
}

/** Fewest Han signs of a quote: each is worth several letters. */
const LEAST_HAN = 4;

/** Fewest letters and digits of a quote with a figure. */
const LEAST_FIGURE = 3;

/**
 * Returns whether a quote has too few words to identify a passage. A figure, or a few Han signs, identifies
 * one.
 */
export function isTooFewWords(quote: string): boolean {
  if (!isTooShort(quote)) return false;
  const hasFigure = /\d/.test(quote) && countOf(quote, SIGNS) >= LEAST_FIGURE;
  return !hasFigure && countScripts(quote).han < LEAST_HAN;
}

/** As `holdsQuote`, but ignores the signs of JSON in both. */
export function holdsWords(text: string, quote: string): boolean {
  return holdsQuote(withoutJsonSigns(text), withoutJsonSigns(quote));
}

/** JSON signs are not words, and quotes are copied with or without them. */
function withoutJsonSigns(text: string): string {
  return text.replace(/"[ \t]{0,8}:[ \t]{0,8}/g, ': ').replace(/["{}[\]]|,(?!\d)/g, ' ');
}

/** Returns whether a quote is too short to identify one place. A Han sign counts as two letters. */
export function isTooShort(quote: string): boolean {
  return countOf(quote, SIGNS) + countScripts(quote).han < LEAST_QUOTE;
}

/**
 * Returns whether the text contains the quote verbatim after normalisation. A quote must not end within a
 * word or figure of the text: `within 3` does not match `within 30 days`. Chinese has no word boundaries, so
 * a quote may begin and end between Han signs, but not within a figure (三|十萬) or behind a negation (不|調漲).
 */
export function holdsQuote(text: string, quote: string): boolean {
  const sought = normalQuote(quote);
  if (sought === '') return false;
  const whole = normalText(text);
  for (let at = whole.indexOf(sought); at >= 0; at = whole.indexOf(sought, at + 1)) {
    if (isWhole(whole, at, sought)) return true;
  }
  return false;
}

/** Share of a quote's words that a sentence must contain to count as its likely source. */
const ALIKE = 0.6;
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Returns the sentence or line most similar to a quote that the text does not contain, or null if none is
 * similar.
 */
export function nearestPassage(text: string, quote: string): string | null {
  const sought = normalWords(quote);
  if (sought.length === 0) return null;
  let best: { passage: string; share: number } | null = null;
  for (const { segment } of sentencesIn(text, sentences)) {
    const share = soughtShare(sought, normalWords(segment));
    if (share >= ALIKE && share > (best?.share ?? 0)) best = { passage: segment.trim(), share };
  }
  return best?.passage ?? null;
}

function soughtShare(sought: readonly string[], words: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of words) left.set(word, (left.get(word) ?? 0) + 1);
  let matched = 0;
  for (const word of sought) {
    const count = left.get(word) ?? 0;
    if (count > 0) {
      matched += 1;
      left.set(word, count - 1);
    }
  }
  return matched / sought.length;
}

const SPACE_LIKE = /[\s\p{Z}\p{Cc}|]+/gu;
/** Soft hyphens, joiners and other invisible marks. */
const UNSEEN = /\u034f|\u200d|[\u00ad\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
const DASHES = /[\p{Pd}\u2212\u2043]/gu;
const SINGLE_QUOTES = /[\u2018-\u201b\u2032\u00b4\u02bc`]/g;
const DOUBLE_QUOTES = /[\u201c-\u201f\u2033\u00ab\u00bb]/g;
/** Bullets, and dashes between words, which carry no meaning. A dash between two numbers is a range and stays. */
// Checked only from a dash on, because a text from outside may consist mostly of blanks.
const BULLETS = /[\u2022\u2023\u25e6]|[-*](?<=(?:^|\s)[-*])(?=\s+[^\s\p{N}]|\s*$|\s(?<!\p{N}\s+[-*]\s))/gu;
const EMPHASIS = /\*\*|__/g;
/** A word broken at the end of a line, or written with or without a hyphen. Hyphens between digits stay. */
const HYPHEN_IN_WORD = /-(?<=\p{L}-)\s*(?=\p{Ll})/gu;

/**
 * Normalises a text for comparing quotes: white space, case, dashes and quotation marks are unified; table
 * pipes, bullets and emphasis are removed. Superscripts and fractions stay: 10² must not become 102.
 */
export function normalText(text: string): string {
  return text
    .replace(/[^\p{No}]+/gu, (part) => part.normalize('NFKC'))
    .replace(UNSEEN, '')
    .replace(DASHES, '-')
    .replace(BULLETS, '')
    .replace(EMPHASIS, '')
    .replace(SINGLE_QUOTES, "'")
    .replace(DOUBLE_QUOTES, '"')
    .replace(HYPHEN_IN_WORD, '')
    .toLowerCase()
    .replace(SPACE_LIKE, ' ')
    .trim();
}

/** Returns the normalised words of a text in order; a figure with its sign or unit is one word. */
export function normalWords(text: string): string[] {
  return normalText(text).match(/[\p{L}\p{M}\p{N}]+(?:[.,:/'-][\p{L}\p{M}\p{N}]+)*/gu) ?? [];
}

const TRUTHS: Record<string, boolean> = { true: true, yes: true, false: false, no: false };
const TIME = /^(\d{4}-\d{2}-\d{2})[t ](\d{2}:\d{2})(?::00(?:\.0+)?)?(z|[+-]\d{2}:\d{2})?$/;

/**
 * Returns whether a fact has the claimed value. Numbers are compared by value (`£2,000` is 2000 with the unit
 * GBP), units only if both name one, truth values as `true` or `yes`, texts after normalisation. Dates are
 * not converted: 2 April 2026 is not 2026-04-02.
 */
export function sameValue(
  fact: Pick<Fact, 'value' | 'unit'>,
  claimed: Fact['value'],
  claimedUnit?: string,
): boolean {
  if (typeof fact.value === 'boolean') return truthOf(claimed) === fact.value;
  const own = amountOf(fact.value, fact.unit);
  const theirs = amountOf(claimed, claimedUnit);
  if (own !== null && theirs !== null) {
    const units = own.unit === null || theirs.unit === null || own.unit === theirs.unit;
    return own.number === theirs.number && units;
  }
  if (typeof claimed === 'boolean' || typeof fact.value === 'number') return false;
  return textOf(fact.value) === textOf(String(claimed));
}

function truthOf(value: Fact['value']): boolean | null {
  if (typeof value === 'boolean') return value;
  return typeof value === 'string' ? (TRUTHS[normalText(value)] ?? null) : null;
}

interface Amount {
  number: number;
  unit: string | null;
}

function amountOf(value: Fact['value'], unit: string | undefined): Amount | null {
  const named = unit === undefined || unit.trim() === '' ? null : unitFrom(unit);
  if (typeof value === 'boolean') return null;
  if (typeof value === 'number') return { number: value, unit: named };
  const parts = /^([^\d+-]*)([-+]?\d(?:[\d, '.\u00a0\u202f]*\d)?)([^\d]*)$/.exec(value);
  const [before = '', digits = '', after = ''] = (parts ?? []).slice(1).map((part) => part.trim());
  const number = parseNumber(digits);
  if (number === null || (before !== '' && after !== '')) return null;
  const written = before || after;
  const own = written === '' ? null : unitFrom(written);
  if (own !== null && named !== null && own !== named) return null;
  return { number, unit: own ?? named };
}

function textOf(text: string): string {
  const normal = normalText(text);
  const time = TIME.exec(normal);
  return time === null ? normal : `${time[1]}t${time[2]}${time[3] ?? ''}`;
}

const QUOTED =
  /「([^「」]{2,400})」|『([^『』]{2,400})』|“([^“”]{2,400})”|„([^„“”]{2,400})[“”]|«([^«»]{2,400})»|"([^"\n]{2,400})"/g;

/** Returns what a text puts in quotation marks. `said` is without the marks, `from` and `to` are with them. */
export const quotesIn = (text: string): Span[] =>
  [...text.matchAll(QUOTED)].map((match) => ({
    said: match.slice(1).find((part) => part !== undefined) ?? '',
    from: match.index,
    to: match.index + match[0].length,
  }));

/**
 * Returns the form in which quotations are compared across scripts: as `normalText`, and without blanks between
 * Han characters.
 */
export function quoteText(text: string): string {
  return normalText(text)
    .replaceAll('臺', '台')
    .replaceAll(/(?<=[\p{Script=Han}，。、；：])\s(?=[\p{Script=Han}，。、；：])/gu, '');
}
