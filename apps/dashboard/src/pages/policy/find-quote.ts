import type { Span } from '@casefile/contracts';

/** A text in normal form, and the original position of each of its UTF-16 units. */
interface Normal {
  text: string;
  at: number[];
}

// Normalisation rules in order. They are the rules that citations are checked with, so a quote that passed is
// found here.
const RULES: readonly (readonly [pattern: RegExp, by: (match: string) => string])[] = [
  [/[^\p{No}]\p{M}+|[^\p{No}\0-\x7f]/gu, (match) => match.normalize('NFKC')],
  [/\u034f|\u200d|[\u00ad\u180e\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, () => ''],
  [/[\p{Pd}\u2212\u2043]/gu, () => '-'],
  [/[\u2022\u2023\u25e6]|[-*](?<=(?:^|\s)[-*])(?=\s+[^\s\p{N}]|\s*$|\s(?<!\p{N}\s+[-*]\s))/gu, () => ''],
  [/\*\*|__/g, () => ''],
  [/[\u2018-\u201b\u2032\u00b4\u02bc`]/g, () => "'"],
  [/[\u201c-\u201f\u2033\u00ab\u00bb]/g, () => '"'],
  [/-(?<=\p{L}-)\s*(?=\p{Ll})/gu, () => ''],
  [/\p{Lu}|\p{Lt}/gu, (match) => match.toLowerCase()],
  [/[\s\p{Z}\p{Cc}|]+/gu, () => ' '],
];

/** Normalises a text for the comparison of quotes: white space, case, dashes and quotation marks. */
export function normalizeText(text: string): Normal {
  const whole = { text, at: Array.from({ length: text.length }, (_, i) => i) };
  return RULES.reduce((normal, [pattern, by]) => replaceText(normal, pattern, by), whole);
}

function replaceText({ text, at }: Normal, pattern: RegExp, by: (match: string) => string): Normal {
  const parts: string[] = [];
  const places: number[] = [];
  let from = 0;
  const keep = (to: number): void => {
    parts.push(text.slice(from, to));
    for (let i = from; i < to; i += 1) places.push(at[i] ?? 0);
  };
  for (const { 0: match, index } of text.matchAll(pattern)) {
    keep(index);
    const put = by(match);
    parts.push(put);
    for (let i = 0; i < put.length; i += 1)
      places.push(at[Math.min(index + i, index + match.length - 1)] ?? 0);
    from = index + match.length;
  }
  if (from === 0) return { text, at };
  keep(text.length);
  return { text: parts.join(''), at: places };
}

const OUTER_MARKS = /^["'\s]+(?:[-*] )?|(?: [-*])?(?<!["'\s])["'\s]+$/g;
const WORD_BEFORE = /[\p{L}\p{M}\p{N}]$/u;
const WORD_AFTER = /^[\p{L}\p{M}\p{N}]/u;

/**
 * Returns the position of a quote in a text as UTF-16 offsets from (inclusive) and to (exclusive), or null.
 * If there are several, returns the first that does not begin or end within a word.
 */
export function findQuote(text: string, quote: string): Span | null {
  const sought = normalizeText(quote).text.replace(OUTER_MARKS, '').trim();
  if (sought === '') return null;
  const whole = normalizeText(text);
  let first = -1;
  for (let at = whole.text.indexOf(sought); at >= 0; at = whole.text.indexOf(sought, at + 1)) {
    if (first < 0) first = at;
    const end = at + sought.length;
    const cuts =
      (WORD_AFTER.test(sought) && WORD_BEFORE.test(whole.text.slice(0, at).slice(-2))) ||
      (WORD_BEFORE.test(sought) && WORD_AFTER.test(whole.text.slice(end, end + 2)));
    if (!cuts) return spanIn(text, whole, at, end);
  }
  return first < 0 ? null : spanIn(text, whole, first, first + sought.length);
}

// Extends the span to the end of the last character and its combining marks.
function spanIn(text: string, { at }: Normal, from: number, to: number): Span {
  const last = at[to - 1] ?? 0;
  const [character = ''] = /^.\p{M}*/su.exec(text.slice(last, last + 16)) ?? [];
  return { from: at[from] ?? 0, to: last + character.length };
}
