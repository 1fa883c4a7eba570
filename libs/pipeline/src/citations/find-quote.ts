import { sentencesIn } from '@casefile/contracts';
import { normalText, normalWords } from './normal-text.js';

/** Letters and digits that a quote needs at least: less is found anywhere. */
export const LEAST_QUOTE = 8;

const MARKS_BEFORE = /^["'\s]+(?:[-*] )?/;
const OUTER_MARK = /["'\s]/;
/** What would make another figure or word of the end of a quote, or of its beginning. */
const GOES_ON = /^(?:[\p{L}\p{M}]|[.,:/-]?\p{N}| ?[%\u2030\u00b0])/u;
const LETTER_GOES_ON = /^[\p{L}\p{M}\p{N}]/u;
const CAME_BEFORE = /(?:\p{N}[.,:/]?|[\p{L}\p{M}]|[-+\p{Sc}\u00b1] ?)$/u;
const LETTER_CAME_BEFORE = /[\p{L}\p{M}\p{N}]$/u;

/** A quote in normal form, without quotation marks around it. */
export function normalQuote(quote: string): string {
  const text = normalText(quote).replace(MARKS_BEFORE, '');
  // Looked at from the end: a pattern that is anchored there alone begins anew at every mark within a text.
  let end = text.length;
  while (end > 0 && OUTER_MARK.test(text[end - 1] as string)) end -= 1;
  if (end < text.length && / [-*]$/.test(text.slice(Math.max(0, end - 2), end))) end -= 2;
  return text.slice(0, end).trim();
}

/** Is there too little in a quote to tell one place from another? */
export function isTooShort(quote: string): boolean {
  return (quote.match(/[\p{L}\p{N}]/gu) ?? []).length < LEAST_QUOTE;
}

/**
 * Does the text hold the quote, word for word after normalisation? Not where the quote ends within a word or a figure
 * of the text: `within 3` is no quote of `within 30 days`.
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

function isWhole(whole: string, at: number, sought: string): boolean {
  const before = whole.slice(Math.max(0, at - 4), at);
  const after = whole.slice(at + sought.length, at + sought.length + 4);
  const digitFirst = /^\p{N}/u.test(sought);
  const digitLast = /\p{N}$/u.test(sought);
  const wordFirst = LETTER_GOES_ON.test(sought);
  const wordLast = LETTER_CAME_BEFORE.test(sought);
  if (wordFirst && (digitFirst ? CAME_BEFORE.test(before) : LETTER_CAME_BEFORE.test(before))) return false;
  return !(wordLast && (digitLast ? GOES_ON.test(after) : LETTER_GOES_ON.test(after)));
}

/** Share of a quote's words that a sentence must have to be what the quote was meant to be. */
const ALIKE = 0.6;
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The sentence or line of the text that is most like a quote it does not hold; null: none is like it. */
export function nearestPassage(text: string, quote: string): string | null {
  const sought = normalWords(quote);
  if (sought.length === 0) return null;
  let best: { passage: string; share: number } | null = null;
  for (const { segment } of sentencesIn(text, sentences)) {
    const share = shareOf(sought, normalWords(segment));
    if (share >= ALIKE && share > (best?.share ?? 0)) best = { passage: segment.trim(), share };
  }
  return best?.passage ?? null;
}

function shareOf(sought: readonly string[], words: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of words) left.set(word, (left.get(word) ?? 0) + 1);
  let found = 0;
  for (const word of sought) {
    const count = left.get(word) ?? 0;
    if (count > 0) {
      found += 1;
      left.set(word, count - 1);
    }
  }
  return found / sought.length;
}
