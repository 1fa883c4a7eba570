import { stopwords } from '@orama/stopwords/english';
import { factName } from '@casefile/contracts';
import { stemmer } from 'stemmer';
import { normalWords } from '@casefile/pipeline/reading/index';

const STOP_WORDS = new Set(stopwords);
/** Maximum number of words of a query. More words find no better sections. */
const MOST_QUERIED = 12;
/**
 * Fewest letters of a stem that may be the beginning of a longer stem of the same word (`discov`,
 * `discoveri`). Shorter ones may be different words (`polic`, `polici`).
 */
const LEAST_ALIKE = 6;

/** Words that make a criterion a question and do not name its subject. */
export const ASKING = contentWords(
  'section period time limit apply right enough sufficient meaning policy allow permit need require condition case file document given make due properly correct kind stay full',
);
/** Words that state that something is measured, not what. */
export const MEASURE_WORDS = contentWords('amount total sum number count value claimed');

/** Returns the query of a criterion: its content words as written, without repeats, in their order. */
export function textQuery(text: string): string {
  return [...new Set(spoken(text))].slice(0, MOST_QUERIED).join(' ');
}

/** Returns the stems of a text's content words, without repeats. */
export function contentWords(text: string): string[] {
  return [...new Set(spoken(text).map((word) => stemmer(word)))];
}

/** Returns the stems of the words of a fact's name, in order. */
export function nameWords(name: string): string[] {
  return contentWords(factName(name).replaceAll('_', ' '));
}

/** Returns whether the stems contain a stem of the sought word, in any form. */
export function hasWord(words: Iterable<string>, sought: string): boolean {
  for (const word of words) if (isAlike(word, sought)) return true;
  return false;
}

/** Returns whether the first stems contain all of the second. */
export function hasAll(words: Iterable<string>, sought: readonly string[]): boolean {
  const known = [...words];
  return sought.every((word) => hasWord(known, word));
}

function isAlike(a: string, b: string): boolean {
  if (a === b) return true;
  return Math.min(a.length, b.length) >= LEAST_ALIKE && (a.startsWith(b) || b.startsWith(a));
}

function spoken(text: string): string[] {
  return normalWords(text)
    .map((word) => word.replace(/'s?$/, ''))
    .filter((word) => word.length > 1 && !STOP_WORDS.has(word) && !/^[\d.,:/-]+$/.test(word));
}
