/** How one kind of scam goes, as the knowledge base has it. S3-12. */
export interface ScamPattern {
  /** Stable: an import of the same id replaces it. */
  id: string;
  title: string;
  /** A typical message by language (BCP 47), one at least. */
  texts: Record<string, string>;
  /** An open set, as is the next: `kyc_banking`, `authority_impersonation`. */
  category: string;
  scamType: string;
  redFlags: string[];
  source: string;
  /** Of the pattern, as its author counts. */
  version: number;
}

/** A text of a pattern for which a model has made no vector yet. */
export interface TextToEmbed {
  patternId: string;
  language: string;
  text: string;
}

/** A vector made of a text of a pattern. */
export interface PatternVector extends TextToEmbed {
  vector: number[];
}

/** What an import did. */
export interface PatternImport {
  inserted: number;
  replaced: number;
  /** Were there already, the same. */
  unchanged: number;
  /** Of the knowledge base after it. */
  revision: number;
}

/**
 * The knowledge base of scam patterns. Every change of it raises its revision, one after the other.
 */
export interface ScamPatterns {
  /**
   * All or nothing. A pattern whose texts change loses their vectors.
   * @throws InvalidInput that names every wrong field (`[3].title`), and ids that come twice.
   */
  importPatterns(patterns: ScamPattern[]): Promise<PatternImport>;
  /** How many changes there were, and how many patterns there are. */
  patternState(): Promise<{ revision: number; patterns: number }>;
  /** Patterns that were changed after this revision (0: all), in the order of their ids. */
  patternsSince(revision: number): Promise<ScamPattern[]>;
  /** Vectors of one model that were made after this revision (0: all). */
  vectorsSince(model: string, revision: number): Promise<Omit<PatternVector, 'text'>[]>;
  /** Texts in these languages (null: all) without a vector of this model: at most `limit`, and how many there are. */
  textsToEmbed(
    model: string,
    languages: readonly string[] | null,
    limit: number,
  ): Promise<{ texts: TextToEmbed[]; total: number }>;
  /** Keeps vectors beside the texts they were made of; one whose text has changed since is left out. Returns how many. */
  saveVectors(model: string, vectors: PatternVector[]): Promise<number>;
}
