import { readFile } from 'node:fs/promises';

const FOLDER = new URL('../../../../samples/', import.meta.url);

/** Returns the scam patterns that come with this version, with their vectors. */
export async function startingSet() {
  const fileNamed = async (name: string) => ({ name, text: await readFile(new URL(name, FOLDER), 'utf8') });
  return {
    scamPatterns: await fileNamed('scam-patterns.json'),
    scamPatternVectors: await fileNamed('scam-patterns.vectors.json'),
  };
}

/** A knowledge base that is empty although every installation begins with content in it. */
export interface EmptyBase {
  /** Name of the base. */
  name: string;
  text: string;
  effect: string;
  act: string;
}

/** The base of scam patterns, with the words to show if it is empty. */
export const NO_PATTERNS: EmptyBase = {
  name: 'scam-patterns',
  text: 'There are no scam patterns to compare messages with',
  effect: 'Messages are judged without known patterns: scams in new words may be missed.',
  act: 'Run: casefile import scam-patterns samples/scam-patterns.json',
};

/** Names of the bases that every installation begins with. */
export const STARTING_BASES: readonly string[] = [NO_PATTERNS.name];
