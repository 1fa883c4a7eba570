import type { ScamPattern } from '@casefile/contracts';
import type { LabelledSample } from '@casefile/e2e/testing/screening-samples';
import { wordsOf } from './words-of.js';
import type { Nearest } from './nearest-patterns.js';

/** A shorter message shares most of its words with some text by chance. */
const FEWEST_WORDS = 6;

/**
 * Returns for each message the pattern that shares most of its words (0..1) among the texts in its language.
 * A word weighs more if fewer patterns contain it. The nearest pair comes first.
 */
export function nearestByWords(
  messages: readonly LabelledSample[],
  patterns: readonly ScamPattern[],
): Nearest[] {
  const languages = [...new Set(patterns.flatMap(({ texts }) => Object.keys(texts)))];
  return languages
    .flatMap((language) => {
      const patternWords = patterns.map(({ id, texts }) => ({
        id,
        words: new Set(wordsOf(texts[language] ?? '')),
      }));
      const weightOf = rarity(patternWords.map(({ words }) => words));
      const own = messages.filter((message) => message.language === language);
      return own.flatMap(({ id, text }) => {
        const words = [...new Set(wordsOf(text))];
        return words.length < FEWEST_WORDS ? [] : [{ id, ...nearest(words, patternWords, weightOf) }];
      });
    })
    .sort((a, b) => b.similarity - a.similarity);
}

type WeightOf = (words: string[]) => number;

function nearest(words: string[], patternWords: { id: string; words: Set<string> }[], weightOf: WeightOf) {
  const whole = weightOf(words);
  return patternWords
    .map((pattern) => ({
      pattern: pattern.id,
      similarity: weightOf(words.filter((word) => pattern.words.has(word))) / whole,
    }))
    .reduce((a, b) => (b.similarity > a.similarity ? b : a));
}

function rarity(texts: Set<string>[]): WeightOf {
  const spread = new Map<string, number>();
  for (const words of texts) for (const word of words) spread.set(word, (spread.get(word) ?? 0) + 1);
  return (words) =>
    words.reduce((sum, word) => sum + Math.log((texts.length + 1) / ((spread.get(word) ?? 0) + 0.5)), 0);
}
