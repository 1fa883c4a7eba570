import type { ScamPattern } from './scam-patterns.js';

/** The nearest texts to a vector. Exact or approximate, in memory or in the database. */
export interface VectorIndex {
  /**
   * By cosine similarity, the most alike first. Brings itself up to date with what was changed before.
   * @throws CasefileError `dimension_mismatch` when the vectors it holds are of another dimension.
   */
  nearest(
    vector: number[],
    limit: number,
  ): Promise<{ patternId: string; language: string; similarity: number }[]>;
}

/** Similarities from which a match is called HIGH and MEDIUM; below it is LOW. S3-11. */
export interface SimilarityLevels {
  readonly highFrom: number;
  readonly mediumFrom: number;
}
export type SimilarityLevel = 'HIGH' | 'MEDIUM' | 'LOW';

/** @param similarity 0..1, both bounds belong to the higher level. */
export function similarityLevel(
  similarity: number,
  { highFrom, mediumFrom }: SimilarityLevels,
): SimilarityLevel {
  if (similarity >= highFrom) return 'HIGH';
  return similarity >= mediumFrom ? 'MEDIUM' : 'LOW';
}

/** A known pattern that is like a text. */
export interface PatternMatch {
  pattern: ScamPattern;
  /** Of the pattern's texts the one that is most alike. */
  language: string;
  /** 0..1: cosine and words as the embedder weighs them, or the words alone. What the level rests on. */
  similarity: number;
  /** Likeness of the vectors, 0..1; null: not looked up by vectors, or not among the nearest by them. S3-14. */
  cosine: number | null;
  /** Likeness of the words, 0..1; null: not looked up by words. S3-14. */
  words: number | null;
}

/** By what patterns were looked up. */
export type LookedUpBy = 'vectors' | 'words' | 'vectors and words';

export interface PatternQuery {
  text: string;
  /** BCP 47, `und` when it is not known. */
  language: string;
  /** How many matches at most. */
  limit: number;
  /** Asks no embedder, whatever the language: nothing is sent anywhere, and no vector is waited for. */
  wordsAlone?: boolean;
}

export interface PatternAnswer {
  /** The most alike first. */
  matches: PatternMatch[];
  /** How many patterns there are, in which revision of the knowledge base, by vectors of which model. */
  patterns: number;
  revision: number;
  model: string;
  /** `words`: the embedder does not read the language, or was not to be asked. S3-14. */
  lookedUpBy: LookedUpBy;
  /** Of this way of looking up, as they are shipped; a configuration may set others. */
  levels: SimilarityLevels;
}

/** Finds known patterns that are like a text. S3-10. */
export interface PatternSearch {
  /** As the embedder behind it. */
  readonly locality: 'local' | 'remote';
  /** @throws CasefileError of the Embedder, the VectorIndex and the store behind it: never an empty answer for a failure. */
  search(query: PatternQuery, signal: AbortSignal): Promise<PatternAnswer>;
}
