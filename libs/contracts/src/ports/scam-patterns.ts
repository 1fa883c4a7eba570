import { z } from 'zod';
import type { VectorIndex } from './pattern-search.js';

const text = (max: number) => z.string().trim().min(1).max(max);
const name = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]{0,99}$/u, 'expected a name of letters, digits, _ and -');
const language = z
  .string()
  .regex(/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/, 'expected a language such as en or hi-Latn (BCP 47)');

/** How one kind of scam goes, as the knowledge base has it. S3-12. */
export const scamPatternSchema = z.object({
  /** Stable: an import of the same id replaces it. */
  id: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,99}$/, 'expected lower-case letters, digits, _ and -'),
  title: text(300),
  /** A typical message by language (BCP 47), one at least. */
  texts: z
    .record(language, text(4_000))
    .refine((texts) => Object.keys(texts).length > 0, 'expected a text in one language at least'),
  /** An open set, as is the next: `kyc_banking`, `authority_impersonation`. */
  category: name,
  scamType: name,
  redFlags: z.array(text(300)).max(50),
  source: text(300),
  /** Of the pattern, as its author counts. */
  version: z.number().int().min(1).max(2_147_483_647),
});
export type ScamPattern = z.infer<typeof scamPatternSchema>;

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
  /** Forgets the vectors of one model, so that they are made again. Returns how many there were. */
  dropVectors(model: string): Promise<number>;
  /** The nearest among the vectors of one model. */
  vectorIndex(model: string): VectorIndex;
}
