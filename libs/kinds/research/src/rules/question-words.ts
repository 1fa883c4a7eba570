import { mainScript, shinglesOf } from '@casefile/pipeline/reading/index';
import phrases from './question-words.json' with { type: 'json' };

/**
 * Scripts without blanks between words, which are compared by pairs. Hiragana is excluded, because it writes
 * endings and particles.
 */
const PAIRED = /[\p{Script=Katakana}ー]{2,}|[\p{Script=Thai}\p{M}]{2,}/gu;
/** First two syllables of Korean words, because their stems come first and particles follow. */
const KOREAN = /(?<!\p{Script=Hangul})\p{Script=Hangul}{2}/gu;
/** Words of other alphabets are compared by their first letters, because endings change. */
const WORD = /[\p{L}\p{M}]{4,}/gu;
const ALPHABETIC =
  /^(?![\p{Script=Latin}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])/u;
const STEM = 5;
/** Names with digits (`RON95`, `H5N1`, `NV-7`), and abbreviations in capitals. They are the same in all languages. */
const NAME = /(?<![\p{L}\p{N}])\p{Lu}[\p{Lu}\d-]{1,9}(?![\p{L}\p{N}])/gu;

/** Returns parts of words, in any script, by which a question and a sentence are compared. */
export function questionWords(text: string): Set<string> {
  const words = shinglesOf(withoutMarks(text));
  for (const [name] of text.matchAll(NAME)) words.add(name.replaceAll('-', '').toLowerCase());
  const normal = text.normalize('NFKC').toLowerCase();
  for (const [run] of normal.matchAll(PAIRED))
    for (let i = 0; i + 2 <= run.length; i += 1) words.add(run.slice(i, i + 2));
  for (const [word] of normal.matchAll(KOREAN)) words.add(word);
  for (const [word] of normal.matchAll(WORD)) if (ALPHABETIC.test(word)) words.add(word.slice(0, STEM));
  return words;
}

const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
};

/** Returns a text without the marks of Latin letters, which would cut words: `Amazônia`, `Städte`. */
const withoutMarks = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/(?<=\p{Script=Latin})\p{Mn}+/gu, '')
    .normalize('NFC')
    .replace(/[ßøØłŁđĐı]/g, (letter) => PLAIN_LETTERS[letter]!);

interface Phrases {
  /** Patterns that begin a word. */
  words: readonly string[];
  /** Patterns of scripts without blanks between words. */
  anywhere: readonly string[];
}
const anyOf = ({ words, anywhere }: Phrases) =>
  new RegExp(`(?<!\\p{L})(?:${words.join('|')})|${anywhere.join('|')}`, 'iu');
const NUMBER_QUESTION = anyOf(phrases.numberQuestions);
const REASON_QUESTION = anyOf(phrases.reasonQuestions);
const REASON = anyOf(phrases.reasons);

/** Returns whether a question asks for a number or a date, in any language of the list. */
export const asksForNumber = (query: string): boolean => NUMBER_QUESTION.test(query.normalize('NFC'));
/** Returns whether a question asks for a reason, in any language of the list. */
export const asksForReason = (query: string): boolean => REASON_QUESTION.test(query.normalize('NFC'));
/** Returns whether a sentence states a reason, in any language of the list. */
export const givesReason = (sentence: string): boolean => REASON.test(sentence.normalize('NFC'));

/** Returns whether two texts are in different scripts, so that they can share no words. */
export function differInScript(a: string, b: string): boolean {
  return mainScript(a) !== mainScript(b);
}
