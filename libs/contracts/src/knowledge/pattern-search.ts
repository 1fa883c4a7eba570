import { z } from 'zod';
import type { ImportCommand } from './import-command.js';

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

/** Where the console reports the state of the known patterns, below `/api/v1`. */
export const PATTERN_STATE_PATH = '/scam-patterns';
/** How many known patterns there are, and their revision. */
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
  json: 'print the counts as JSON',
};
