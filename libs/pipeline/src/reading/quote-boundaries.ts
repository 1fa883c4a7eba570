import { endsInHanNegation } from './negation.js';
import { HAN_NUMERALS } from './numerals.js';

/** Characters that would make the beginning or end of a quote part of another figure or word. */
const CONTINUES = /^(?:[\p{L}\p{M}]|[.,:/-]?\p{N}| ?[%\u2030\u00b0])/u;
const LETTER_CONTINUES = /^[\p{L}\p{M}\p{N}]/u;
const PRECEDED = /(?:\p{N}[.,:/]?|[\p{L}\p{M}]|[-+\p{Sc}\u00b1] ?)$/u;
const LETTER_PRECEDED = /[\p{L}\p{M}\p{N}]$/u;
const DIGIT_FIRST = /^\p{N}/u;
const DIGIT_LAST = /\p{N}$/u;

/** Han signs of figures. The boundary between two of them, or between one and a digit, cuts a figure. */
const HAN_FIGURE = `[\\p{N}${HAN_NUMERALS}幾几數数]`;
const FIGURE_FIRST = new RegExp(`^${HAN_FIGURE}`, 'u');
const FIGURE_LAST = new RegExp(`${HAN_FIGURE}$`, 'u');
const FIGURE_CONTINUES = new RegExp(`^(?:${HAN_FIGURE}|[成倍]|[.,:/-]\\p{N}| ?[%\\u2030\\u00b0])`, 'u');
const FIGURE_PRECEDED = new RegExp(`(?:${HAN_FIGURE}[.,:/]?|[-+\\p{Sc}\\u00b1] ?|[負负第]|零下)$`, 'u');
const HAN_FIRST = /^\p{Script=Han}/u;
const HAN_LAST = /\p{Script=Han}$/u;
/** A particle before a figure: `利用は|4人`. */
const HIRAGANA_LAST = /\p{Script=Hiragana}$/u;
const KANA_FIRST = /^[\p{Script=Hiragana}\p{Script=Katakana}]/u;
/**
 * Returns whether a passage of a normalised text begins and ends at boundaries of words and figures. Chinese
 * has no word boundaries, so a passage may begin and end between Han signs, but not within a figure (三|十萬)
 * or behind a negation (不|調漲).
 * @param at Start of the passage, in UTF-16 units.
 */
export function isWhole(whole: string, at: number, passage: string): boolean {
  const before = whole.slice(Math.max(0, at - 4), at);
  const after = whole.slice(at + passage.length, at + passage.length + 4);
  if (beginsWord(passage, before) && endsWord(passage, after)) return true;
  return beginsInHan(passage, before) && endsInHan(passage, after);
}

function beginsWord(passage: string, before: string): boolean {
  if (!LETTER_CONTINUES.test(passage)) return true;
  return !(DIGIT_FIRST.test(passage) ? PRECEDED : LETTER_PRECEDED).test(before);
}

function endsWord(passage: string, after: string): boolean {
  if (!LETTER_PRECEDED.test(passage)) return true;
  return !(DIGIT_LAST.test(passage) ? CONTINUES : LETTER_CONTINUES).test(after);
}

function beginsInHan(passage: string, before: string): boolean {
  if (DIGIT_FIRST.test(passage) && HIRAGANA_LAST.test(before)) return true;
  if (!HAN_FIRST.test(passage) && !HAN_LAST.test(before)) return beginsWord(passage, before);
  return !endsInHanNegation(before) && !(FIGURE_FIRST.test(passage) && FIGURE_PRECEDED.test(before));
}

// Kana after the Han characters of a Japanese verb may negate it, and a unit may follow a digit.
function endsInHan(passage: string, after: string): boolean {
  if (!HAN_LAST.test(passage) && (DIGIT_LAST.test(passage) || !HAN_FIRST.test(after)))
    return endsWord(passage, after);
  return !KANA_FIRST.test(after) && !(FIGURE_LAST.test(passage) && FIGURE_CONTINUES.test(after));
}
