import { nameText } from './names.js';

/**
 * Returns the parts of a text that show its subject: pairs of Han characters, and the first six letters of
 * the stem of words with four letters or more.
 */
export function shinglesOf(text: string): Set<string> {
  const normal = nameText(text);
  const found = new Set<string>();
  for (const [run] of normal.matchAll(/\p{Script=Han}{2,}/gu))
    for (let i = 0; i + 2 <= run.length; i += 1) found.add(run.slice(i, i + 2));
  for (const [word] of normal.matchAll(/[a-z]{4,}/g)) found.add(wordStem(word).slice(0, 6));
  return found;
}

// `vote`, `voted` and `votes` have one stem.
const wordStem = (word: string): string => word.replace(/(?:ing|ed|es|s|e)$/, '');

/** Returns the number of parts that two texts share. */
export function countShared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const one of a) if (b.has(one)) count += 1;
  return count;
}
