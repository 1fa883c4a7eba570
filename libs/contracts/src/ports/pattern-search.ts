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

/** A known pattern that is like a text. */
export interface PatternMatch {
  pattern: ScamPattern;
  /** Of the pattern's texts the one that is most alike. */
  language: string;
  /** 0..1. */
  similarity: number;
}

export interface PatternQuery {
  text: string;
  /** BCP 47, `und` when it is not known. */
  language: string;
  /** How many matches at most. */
  limit: number;
}

export interface PatternAnswer {
  /** The most alike first. */
  matches: PatternMatch[];
  /** How many patterns there are, in which revision of the knowledge base, by vectors of which model. */
  patterns: number;
  revision: number;
  model: string;
}

/** Finds known patterns that are like a text. S3-10. */
export interface PatternSearch {
  /** As the embedder behind it. */
  readonly locality: 'local' | 'remote';
  /** @throws CasefileError of the Embedder, the VectorIndex and the store behind it: never an empty answer for a failure. */
  search(query: PatternQuery, signal: AbortSignal): Promise<PatternAnswer>;
}
