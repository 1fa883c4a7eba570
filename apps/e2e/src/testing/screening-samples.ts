import { readFileSync } from 'node:fs';
import type { ScamPattern } from '@casefile/contracts';
import type { Seed } from '@casefile/knowledge';

/** A line of the labelled set, with the fields that are measured. */
export interface LabelledSample {
  id: string;
  text: string;
  language: string;
  isScam: boolean;
  category: string | null;
}

const SAMPLES = new URL('../../../../samples/', import.meta.url);
const sample = (name: string) => readFileSync(new URL(name, SAMPLES), 'utf8');

/**
 * Returns the labelled messages of samples/eval. Of `unseen`, only counts and names of patterns may be
 * printed.
 */
export const labelledMessages = (
  set: 'messages' | 'seen' | 'unseen' | 'development' = 'messages',
): LabelledSample[] =>
  sample(`eval/${set}.jsonl`)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LabelledSample);

/** Returns the starting set of scam patterns. */
export const scamPatterns = (): ScamPattern[] => JSON.parse(sample('scam-patterns.json')) as ScamPattern[];

/** Returns the starting set with its vectors, as an installation receives it. */
export const scamPatternSeed = (): Seed => ({
  scamPatterns: { name: 'scam-patterns.json', text: sample('scam-patterns.json') },
  scamPatternVectors: { name: 'scam-patterns.vectors.json', text: sample('scam-patterns.vectors.json') },
});

/** Returns the names in the starting set for each category of the labels. */
export const sameCategories = (): Record<string, string[]> =>
  JSON.parse(sample('eval/categories.json')) as Record<string, string[]>;
