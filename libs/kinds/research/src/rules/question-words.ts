import { mainScript, shinglesOf } from '@casefile/pipeline/reading/index';

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
/** Returns parts of words, in any script, by which a question and a sentence are compared. */
export function questionWords(text: string): Set<string> {
  const words = shinglesOf(text);
  const normal = text.normalize('NFKC').toLowerCase();
  for (const [run] of normal.matchAll(PAIRED))
    for (let i = 0; i + 2 <= run.length; i += 1) words.add(run.slice(i, i + 2));
  for (const [word] of normal.matchAll(KOREAN)) words.add(word);
  for (const [word] of normal.matchAll(WORD)) if (ALPHABETIC.test(word)) words.add(word.slice(0, STEM));
  return words;
}

/** Returns whether two texts are in different scripts, so that they can share no words. */
export function differInScript(a: string, b: string): boolean {
  return mainScript(a) !== mainScript(b);
}
