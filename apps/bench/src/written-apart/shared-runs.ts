import type { ScamPattern } from '@casefile/contracts';
import type { LabelledSample } from '@casefile/e2e/testing/screening-samples';
import { wordsOf } from './words-of.js';

/** A run of words that a message shares with a text of a pattern. */
export interface SharedRun {
  message: string;
  pattern: string;
  /** Language of the pattern's text. */
  language: string;
  words: string;
}

/** Returns every run of `length` words that a message and a pattern share, ignoring case and punctuation. */
export function sharedRuns(
  messages: readonly LabelledSample[],
  patterns: readonly ScamPattern[],
  length: number,
): SharedRun[] {
  const texts = patterns.flatMap(({ id, texts: byLanguage }) =>
    Object.entries(byLanguage).map(([language, text]) => ({ id, language, runs: runsOf(text, length) })),
  );
  return messages.flatMap(({ id: message, text }) => {
    const own = runsOf(text, length);
    return texts.flatMap(({ id: pattern, language, runs }) =>
      [...own].filter((run) => runs.has(run)).map((words) => ({ message, pattern, language, words })),
    );
  });
}

function runsOf(text: string, length: number): Set<string> {
  const words = wordsOf(text);
  const count = Math.max(0, words.length - length + 1);
  return new Set(Array.from({ length: count }, (_, i) => words.slice(i, i + length).join(' ')));
}
