import { stopwords } from '@orama/stopwords/english';
import { factName } from '@casefile/contracts';
import { stemmer } from 'stemmer';
import { normalWords } from '../../../find-quote.js';

const STOP_WORDS = new Set(stopwords);
/** Words of a query: more of them find no better sections. */
const MOST_QUERIED = 12;
/** Letters of a stem from which a longer one is the same word in another form (`discov`, `discoveri`); `polic` and `polici` are not. */
const LEAST_ALIKE = 6;

/** In a criterion these ask, they do not say what about. */
export const ASKING = contentWords(
  'section period time limit apply right enough sufficient meaning policy allow permit need require condition case file document given make due properly correct kind stay full',
);
/** These say that something is measured, not what. */
export const MEASURE_WORDS = contentWords('amount total sum number count value claimed');

/** What a criterion is looked up by: its content words as they are written, each once, in their order. S4-40. */
export function textQuery(text: string): string {
  return [...new Set(spoken(text))].slice(0, MOST_QUERIED).join(' ');
}

/** The stems of a text's content words, each once. */
export function contentWords(text: string): string[] {
  return [...new Set(spoken(text).map((word) => stemmer(word)))];
}

/** The stems of the words of a fact's name, in their order. */
export function nameWords(name: string): string[] {
  return contentWords(factName(name).replaceAll('_', ' '));
}

/** Is the word among these, in any form of it? All are stems. */
export function hasWord(words: Iterable<string>, sought: string): boolean {
  for (const word of words) if (isAlike(word, sought)) return true;
  return false;
}

/** Are all of these among those? */
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
