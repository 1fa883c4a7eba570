import { HAN_RUN, nameText } from './script.js';

/**
 * Returns the parts of a text that show its subject: pairs of Han characters, and the first six letters of
 * the stem of words with four letters or more.
 */
export function shinglesOf(text: string): Set<string> {
  const normal = nameText(text);
  const shingles = new Set<string>();
  for (const [run] of normal.matchAll(HAN_RUN))
    for (let i = 0; i + 2 <= run.length; i += 1) shingles.add(run.slice(i, i + 2));
  for (const [word] of normal.matchAll(/[a-z]{4,}/g)) shingles.add(wordStem(word).slice(0, 6));
  return shingles;
}

/** Returns a word without the commonest endings of English: `vote`, `voted` and `votes` have one stem. */
export const wordStem = (word: string): string => word.replace(/(?:ing|ed|es|s|e)$/, '');

/** Returns the number of parts that two texts share. */
export function countShared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const one of a) if (b.has(one)) count += 1;
  return count;
}

/** Returns whether at least half of the parts of a text are in another text. */
export function isLike(text: string, other: string): boolean {
  const own = shinglesOf(text);
  return own.size > 0 && countShared(own, shinglesOf(other)) >= own.size / 2;
}
