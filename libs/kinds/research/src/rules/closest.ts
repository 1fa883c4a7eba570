import type { Source } from '@casefile/contracts';
import { cutSentences } from '@casefile/pipeline/language/cut-sentences';
import { countShared, digitNumbersIn } from '@casefile/pipeline/reading/index';
import { claimLanguage } from '@casefile/pipeline/claims/claim-language';
import {
  asksForNumber,
  asksForReason,
  differInScript,
  givesReason,
  questionWords,
} from './question-words.js';

const SENTENCES = 2;
const SHORTEST = 6;
/** Statistics offices and courts write sentences of 300 to 400 characters. */
const LONGEST = 500;
/** Weights of a sentence. A word of the question is the strongest sign that the sentence answers the question. */
const WORD = 2;
const NUMBER = 2;
const REASON = 2;
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
 * question, words of the title of its source, a number or a reason if the question asks for one, and numbers of `stated`.
 * A source in the language of the question needs a word of the question in its title or text.
 * @param stated Numbers that other sources state, as `digitNumbersIn` writes them. Default: none.
 */
export function closestSentences(
  { name, text }: Pick<Source, 'name' | 'text'>,
  query: string,
  stated: ReadonlySet<string> = new Set(),
): Closest {
  const asked = questionWords(query);
  const title = questionWords(name);
  const asksNumber = asksForNumber(query);
  const known = new Set(digitNumbersIn(query));
  const asksReason = asksForReason(query);
  const isForeign = differInScript(text, query) || differInLanguage(query, text);
  const sentences = [...new Set([...cutSentences(text)].map((sentence) => sentence.trim()))].filter(
    ({ length }) => length >= SHORTEST && length <= LONGEST,
  );
  const weighed = sentences.map((sentence, i) => {
    const words = questionWords(sentence);
    const numbers = digitNumbersIn(sentence).filter((one) => !known.has(one));
    const shared = countShared(asked, words);
    const ofTitle = Math.min(MOST_OF_TITLE, countShared(title, words));
    const ofAnswer =
      (asksNumber && numbers.length > 0 ? NUMBER : 0) +
      (asksReason && givesReason(sentence) ? REASON : 0) +
      (numbers.some((one) => stated.has(one)) ? NUMBER : 0);
    return { sentence, i, shared, weight: WORD * shared + ofTitle + ofAnswer };
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
 * Returns whether two texts differ in language. If the language of only one is known, they differ, because a source
 * without a word of the question would be left out otherwise.
 */
function differInLanguage(query: string, text: string): boolean {
  const [own, other] = [claimLanguage(query), claimLanguage(text)];
  return own.code !== other.code || own.isUnread !== other.isUnread;
}
