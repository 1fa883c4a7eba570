import { z } from 'zod';
import type { ImportCommand } from './import-command.js';

const text = (max: number) => z.string().trim().min(1).max(max);
const name = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]{0,99}$/u, 'expected a name of letters, digits, _ and -');
const language = z
  .string()
  .regex(/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/, 'expected a language such as en or hi-Latn (BCP 47)');

/** A pattern of one kind of scam in the knowledge base. */
export const scamPatternSchema = z.object({
  /** Stable id. An import with the same id replaces the pattern. */
  id: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,99}$/, 'expected lower-case letters, digits, _ and -'),
  title: text(300),
  /** A typical message per language (BCP 47), at least one. */
  texts: z
    .record(language, text(4_000))
    .refine((texts) => Object.keys(texts).length > 0, 'expected a text in one language at least'),
  /** Category, from an open set like the next field: `kyc_banking`, `authority_impersonation`. */
  category: name,
  scamType: name,
  redFlags: z.array(text(300)).max(50),
  source: text(300),
  /** Version of the pattern, set by its author. */
  version: z.number().int().min(1).max(2_147_483_647),
});
export type ScamPattern = z.infer<typeof scamPatternSchema>;

/** Minimum similarities of the levels HIGH and MEDIUM. Lower similarities are LOW. */
export interface SimilarityLevels {
  readonly highFrom: number;
  readonly mediumFrom: number;
}
export type SimilarityLevel = 'HIGH' | 'MEDIUM' | 'LOW';

/** Returns the level. @param similarity 0..1. A threshold itself belongs to the higher level. */
export function similarityLevel(
  similarity: number,
  { highFrom, mediumFrom }: SimilarityLevels,
): SimilarityLevel {
  if (similarity >= highFrom) return 'HIGH';
  return similarity >= mediumFrom ? 'MEDIUM' : 'LOW';
}

/** A known pattern that is similar to a text. */
export interface PatternMatch {
  pattern: ScamPattern;
  /** Language of the most similar text of the pattern. */
  language: string;
  /** Similarity, 0..1: cosine and words with the embedder's weights, or words only. It decides the level. */
  similarity: number;
  /** Similarity of the vectors, 0..1. null: not searched by vectors, or not among the nearest. */
  cosine: number | null;
  /** Similarity of the words, 0..1. null: not searched by words. */
  words: number | null;
}

/** Methods of a pattern search. */
export type LookedUpBy = 'vectors' | 'words' | 'vectors and words';

export interface PatternQuery {
  text: string;
  /** Language (BCP 47). `und`: unknown. */
  language: string;
  /** Maximum number of matches. */
  limit: number;
  /** Searches by words only: no embedder is called, whatever the language. */
  wordsAlone?: boolean;
}

export interface PatternAnswer {
  /** Matches, the most similar first. */
  matches: PatternMatch[];
  /** Number of patterns, revision of the knowledge base, and model of the vectors. */
  patterns: number;
  revision: number;
  model: string;
  /** `words`: the embedder does not support the language, or was not to be called. */
  lookedUpBy: LookedUpBy;
  /** Default levels for this method. A configuration may set others. */
  levels: SimilarityLevels;
}

/** Finds known patterns that are similar to a text. */
export interface PatternSearch {
  /** Locality of the embedder. */
  readonly locality: 'local' | 'remote';
  /**
   * Searches for patterns.
   * @throws CasefileError of the Embedder, the VectorIndex or the store. A failure never gives an empty
   * answer.
   */
  search(query: PatternQuery, signal: AbortSignal): Promise<PatternAnswer>;
}

/** Path of the console's report about the known patterns, below `/api/v1`. */
export const PATTERN_STATE_PATH = '/scam-patterns';
/** Number and revision of the known patterns. */
export const patternStateSchema = z.object({
  patterns: z.int().describe('How many there are.'),
  revision: z.int().describe('Raised by each change of them.'),
});
export type PatternState = z.infer<typeof patternStateSchema>;

export const SCAM_PATTERNS_IMPORT: ImportCommand = {
  name: 'scam-patterns',
  description: 'import known scam patterns: all of a file, or nothing when a line is wrong',
  argument: ['[file]', 'JSON array, or CSV with a header line; - for standard input'],
  options: [
    {
      flags: '--case <id>',
      description: 'in place of a file: the message of a case whose verdict you confirm',
    },
    { flags: '--scam-type <name>', description: 'of that case, for example authority_impersonation' },
    { flags: '--title <text>', description: 'of that case; else the beginning of its message' },
    { flags: '--embed-again', description: 'make the vectors of all patterns again' },
  ],
  feed: true,
  json: 'print the counts as JSON',
};
