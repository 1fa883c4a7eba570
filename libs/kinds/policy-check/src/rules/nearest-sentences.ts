import { ASKING, contentWords, hasWord, MEASURE_WORDS } from './content-words.js';
import type { NamedFact, PolicySentence, Section } from './sections-and-facts.js';

/** The most sentences that are shown where no requirement was found. */
const MOST_NEAR = 3;
/** Longest sentence that is shown, in characters. */
const LONGEST_SHOWN = 500;

/**
 * Returns the sentences with the most words of the criterion and of the facts' names, for a person who decides: at most
 * three, the nearest first.
 */
export function nearestSentences(
  sections: readonly Section[],
  { asked, facts }: { asked: readonly string[]; facts: readonly NamedFact[] },
): PolicySentence[] {
  const isTelling = (word: string) => !ASKING.includes(word) && !MEASURE_WORDS.includes(word);
  const named = facts.flatMap(({ words }) => words).filter(isTelling);
  const ranked = sections
    .flatMap(({ sentences }) => sentences)
    .filter(({ text }) => text.length <= LONGEST_SHOWN)
    .map((sentence) => {
      const own = contentWords(sentence.text);
      const shared = (words: readonly string[]) => words.filter((word) => hasWord(own, word)).length;
      // A word of the question tells more than one of a fact, which may belong to another question.
      return { sentence, near: 2 * shared(asked.filter(isTelling)) + shared(named) };
    })
    .toSorted((a, b) => b.near - a.near);
  const nearest = ranked[0]?.near ?? 0;
  return ranked
    .filter(({ near }) => near > 0 && near * 2 > nearest)
    .slice(0, MOST_NEAR)
    .map(({ sentence }) => sentence);
}
