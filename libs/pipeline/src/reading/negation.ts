import table from './words/negation.json' with { type: 'json' };
import { anyOf } from './words.js';

type Language = keyof typeof table.words;

const CONTRACTED = `(?:${table.contractions})['’]t`;
const { en, zh } = table.words;
const NEGATION = anyOf({
  zh: `${table.phrases.zh}|${zh}`,
  en: `${table.phrases.en}|${CONTRACTED}|${en}`,
  sign: "n['’]t\\b",
});
const CUE = new RegExp(NEGATION, 'giu');
const PSEUDO = new RegExp(anyOf(table.pseudo), 'giu');
const ABSENCE = new RegExp(`(?:${anyOf(table.absence)})[^，。；,.;]{0,60}`, 'giu');
/** Han negations of the words that follow. A quote that begins after one says the opposite of its source. */
const HAN_BEFORE = /(?:[不未無无非勿]|[沒没]有?)$/u;

const NOTHING = new Set(['', ...table.nothing.split(' ')]);

/** Returns whether a text states that there is nothing. */
export const saysNothing = (text: string): boolean =>
  NOTHING.has(text.trim().toLowerCase().replace(/\.$/, ''));

/** Words of English that state before a noun that there is none, for patterns. */
export const ABSENCE_WORDS = table.absence.en;

/** Words of a language that negate, for patterns. */
export const negationWords = (language: Language): string => table.words[language];

const words = new Map(
  (['en', 'de', 'hi', 'hi-Latn'] as const).map((language) => [
    language as string,
    new Set([
      ...table.words[language].split('|'),
      // `don't` and `dont` are one word.
      ...(language === 'en' ? table.contractions.split('|').map((word) => `${word}t`) : []),
    ]),
  ]),
);

/** Returns whether a word, in lower case and without apostrophe, negates in one of these languages. */
export const isNegation = (word: string, ...languages: Language[]): boolean =>
  languages.some((language) => words.get(language)?.has(word) ?? false);

/** Returns a text without words that contain a negation but negate nothing, as `not only` and `不但`. */
export const withoutPseudoNegations = (text: string): string => text.replaceAll(PSEUDO, ' ');

/**
 * Returns a text without its negations of English and Chinese, and their number. German negations are left out:
 * German clauses share so many function words that clauses about two things would seem to contradict.
 */
export function withoutNegations(text: string): { rest: string; count: number } {
  let count = 0;
  const rest = text.replaceAll(CUE, () => {
    count += 1;
    return '';
  });
  return { rest, count };
}

/** Returns whether a text of English or Chinese negates something. */
export const hasNegation = (text: string): boolean =>
  withoutNegations(withoutPseudoNegations(text)).count > 0;

/** Returns whether a Han negation ends a text, so that it negates the words that follow. */
export const endsInHanNegation = (text: string): boolean => HAN_BEFORE.test(text);

/** Returns the parts of a text in which something is absent: `no deaths or injuries`, `無人傷亡`. */
export const absentIn = (text: string): string[] => text.match(ABSENCE) ?? [];

/** Returns a text without the parts in which something is absent. */
export const withoutAbsent = (text: string): string => text.replaceAll(ABSENCE, ' ');
