import { ASKING, contentWords, hasWord, MEASURE_WORDS, textQuery } from './content-words.js';
import { isNet, limitingWords, plainTable, type PlainLanguage } from './plain-words.js';
import { isRow } from './policy-tables.js';
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

/** Days that are counted without weekends and holidays, in the languages whose limits the rules read. */
const WORKING_DAYS = new RegExp(String.raw`(?<!\p{L})(?:${plainTable.workingDays})(?!\p{L})`, 'iu');

/**
 * Returns why no requirement can be read from the nearest sentence, for the person who decides.
 * @param question the criterion as it was asked
 * @param language null: the rules read no plain limits of the policy's language
 */
export function whyNoneIsPlain(
  nearest: readonly PolicySentence[],
  { question, language }: { question: string; language: PlainLanguage | null },
): string {
  if (nearest.some(({ text }) => isRow(text)))
    return language === null
      ? 'The nearest part of the policy is a table. The rules read tables only if they read the language of the policy.'
      : 'The nearest part of the policy is a table that the rules do not read.';
  const [first] = nearest;
  if (first === undefined) return 'No sentence that was found has words of the question.';
  if (WORKING_DAYS.test(first.text))
    return 'The nearest requirement counts working days, which the rules do not count.';
  if (isNet(first.text))
    return 'The nearest requirement speaks of a net amount, which the rules do not convert.';
  const condition = limitingWords(first.text, language ?? 'en');
  if (condition !== null)
    return `The nearest requirement has a condition ("${condition}"), which the rules do not read.`;
  const unnamed = language === 'en' ? unnamedWords(question, first.section) : [];
  if (unnamed.length > 0)
    return `The nearest section does not have these words of the question: ${unnamed.map((word) => `"${word}"`).join(', ')}.`;
  return 'None of the nearest sentences plainly answers the question.';
}

/** The most words that are listed of a question. */
const MOST_UNNAMED = 3;

/** Returns words of an English question, as written, that a section does not have. */
function unnamedWords(question: string, section: Section): string[] {
  const isMissing = (word: string) =>
    contentWords(word).some(
      (stem) => !ASKING.includes(stem) && !MEASURE_WORDS.includes(stem) && !hasWord(section.words, stem),
    );
  return textQuery(question).split(' ').filter(isMissing).slice(0, MOST_UNNAMED);
}
