import { figuresIn, type Figure } from './figures.js';
import { isEnglish, isNotEnglish } from './function-words.js';
import { countOf, countScripts, eastAsianLanguage } from './script.js';

/**
 * Language of a text, as far as it matters for comparing words. `latin`: a language in Latin letters other
 * than English.
 */
export type Writing = 'zh' | 'ja' | 'ko' | 'en' | 'latin' | 'other';

/** Number of UTF-16 units that are read. */
const READ = 4_000;

/**
 * Returns the language of a text, by its script and its function words.
 * @param latin Language of a text in Latin letters. Default: detected from the text, which fails for a single
 * sentence.
 */
export function detectWriting(text: string, latin = latinLanguage(text)): Writing {
  const read = text.slice(0, READ);
  const scripts = countScripts(read);
  const words = countOf(read, /\p{Script=Latin}+/gu);
  const letters = countOf(read, /\p{L}/gu);
  // Chinese writes no blanks, so its number of characters is compared with the number of words.
  if (scripts.han + scripts.kana + scripts.hangul > words) return eastAsianLanguage(scripts)!;
  return letters === 0 || scripts.latin * 2 >= letters ? latin : 'other';
}

/** Returns whether a text in Latin letters is English, by its function words. Default: English. */
function latinLanguage(text: string): 'en' | 'latin' {
  const words =
    text
      .slice(0, READ)
      .toLowerCase()
      .match(/\p{Script=Latin}+/gu) ?? [];
  const english = words.filter((word) => isEnglish(word)).length;
  const others = words.filter(isNotEnglish).length;
  const marked = words.filter((word) => /[^a-z]/.test(word)).length;
  return others + marked >= 2 && others + marked > english ? 'latin' : 'en';
}

/**
 * Returns a text of another language in Latin letters with its numbers written as in English: `12.400,5` as 12,400.5.
 * The groups stay, so that `2.000` is no year.
 */
export function withPointNumbers(text: string): string {
  return text
    .replace(/(?<![\d.,])\d{1,3}(?:[.\u00a0\u202f]\d{3}){1,5}(?![\d.])/gu, (said) =>
      said.replace(/[^\d]/g, ','),
    )
    .replace(/(?<=\d),(?=\d{1,2}(?!\d))/gu, '.');
}

/** Returns the figures of a text whose numbers are written with commas for points. */
export const pointFiguresIn = (text: string): Figure[] => figuresIn(withPointNumbers(text.normalize('NFKC')));
