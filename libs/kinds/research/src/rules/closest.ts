import type { Source } from '@casefile/contracts';
import { cutSentences } from '@casefile/pipeline/language/cut-sentences';
import { countShared } from '@casefile/pipeline/reading/index';
import { isOfOtherLanguage } from '../check/writing-of.js';
import { asksForNumber, differInScript, questionWords } from './question-words.js';

const SENTENCES = 2;
const SHORTEST = 6;
/** Statistics offices and courts write sentences of 300 to 400 characters. */
const LONGEST = 500;
/** Weights of a sentence. A word of the question is the strongest sign that the sentence answers the question. */
const WORD = 2;
const NUMBER = 2;
const MOST_OF_TITLE = 2;
/** Share of the weight of the closest sentence that the next one needs. */
const LEAST_SHARE = 1 / 3;

/** Sentences of a source that are quoted. */
export interface Closest {
  /** In their order in the source, verbatim. Empty: the source is not about the question. */
  found: string[];
  /** How close the source is to the question. */
  weight: number;
  /** Whether the source is in another language than the question. */
  isForeign: boolean;
}

/**
 * Returns the sentences of a source that are closest to a question. A sentence counts more if it has words of the
 * question, words of the title of its source, a number if the question asks for one, and numbers of `stated`. A source in
 * the language of the question needs a word of the question in its title or text.
 * @param stated Numbers that other sources state, as `numbersIn` writes them. Default: none.
 */
export function closestSentences(
  { name, text }: Pick<Source, 'name' | 'text'>,
  query: string,
  stated: ReadonlySet<string> = new Set(),
): Closest {
  const asked = questionWords(query);
  const title = questionWords(name);
  const asksNumber = asksForNumber(query);
  const known = new Set(numbersIn(query));
  const isForeign = differInScript(text, query) || isOfOtherLanguage(query, text);
  const sentences = [...new Set([...cutSentences(text)].map((sentence) => sentence.trim()))].filter(
    ({ length }) => length >= SHORTEST && length <= LONGEST,
  );
  const weighed = sentences.map((sentence, i) => {
    const words = questionWords(sentence);
    const numbers = numbersIn(sentence).filter((one) => !known.has(one));
    const shared = countShared(asked, words);
    const ofTitle = Math.min(MOST_OF_TITLE, countShared(title, words));
    const ofNumbers =
      (asksNumber && numbers.length > 0 ? NUMBER : 0) + (numbers.some((one) => stated.has(one)) ? NUMBER : 0);
    return { sentence, i, shared, weight: WORD * shared + ofTitle + ofNumbers };
  });
  const ofTitle = countShared(asked, title);
  const shared = Math.max(0, ...weighed.map((one) => one.shared));
  const weight = ofTitle + shared;
  if (weight === 0 && !isForeign) return { found: [], weight, isForeign };
  const ranked = weighed.toSorted((a, b) => b.weight - a.weight || a.i - b.i);
  const least = (ranked[0]?.weight ?? 0) * LEAST_SHARE;
  const found = ranked
    .slice(0, SENTENCES)
    .filter((one) => one.weight >= least)
    .toSorted((a, b) => a.i - b.i)
    .map(({ sentence }) => sentence);
  return { found, weight, isForeign };
}

/**
 * Returns the numbers of a text in digits, with a point for each separator: `8,2` and `8.2` are the same number in two
 * languages.
 */
export function numbersIn(text: string): string[] {
  return (text.normalize('NFKC').match(/\d{1,15}(?:[.,]\d{1,9}){0,4}/g) ?? []).map((said) =>
    said.replaceAll(',', '.'),
  );
}
