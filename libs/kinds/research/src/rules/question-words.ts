import { mainScript, shinglesOf } from '@casefile/pipeline/reading/index';
import numberWords from './question-words.json' with { type: 'json' };

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
/** Names with digits (`RON95`, `NV-7`), and abbreviations in capitals. */
const NAME = /(?<![\p{L}\p{N}])(?:\p{Lu}{1,8}-?\d{1,4}|\p{Lu}{2,6})(?![\p{L}\p{N}])/gu;

/** Returns parts of words, in any script, by which a question and a sentence are compared. */
export function questionWords(text: string): Set<string> {
  const words = shinglesOf(withoutMarks(text));
  for (const [name] of text.matchAll(NAME)) words.add(name.replace('-', '').toLowerCase());
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

const ASKS_NUMBER = new RegExp(
  `(?<!\\p{L})(?:${numberWords.prefixes.join('|')})|${numberWords.anywhere.join('|')}`,
  'iu',
);

/** Returns whether a question asks for a number or a date, in any language of the list. */
export const asksForNumber = (query: string): boolean => ASKS_NUMBER.test(query.normalize('NFC'));

/** Returns whether two texts are in different scripts, so that they can share no words. */
export function differInScript(a: string, b: string): boolean {
  return mainScript(a) !== mainScript(b);
}
