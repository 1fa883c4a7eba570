import { createHash } from 'node:crypto';
import {
  InvalidInput,
  scamPatternSchema,
  type FieldProblem,
  type Pages,
  type ScamPattern,
} from '@casefile/contracts';
import { checkedRows } from '../pages.js';

/** Finds the texts nearest to a vector. Exact or approximate, in memory or in the database. */
export interface VectorIndex {
  /**
   * Returns the nearest by cosine similarity, the most similar first, including all earlier changes.
   * @throws CasefileError `dimension_mismatch` if the stored vectors have another dimension.
   */
  nearest(
    vector: number[],
    limit: number,
  ): Promise<{ patternId: string; language: string; similarity: number }[]>;
}

/** A text of a pattern without a vector of a model. */
export interface TextToEmbed {
  patternId: string;
  language: string;
  text: string;
}

/** A vector of a text of a pattern. */
export interface PatternVector extends TextToEmbed {
  vector: number[];
}

/** Result of an import. */
export interface PatternImport {
  inserted: number;
  replaced: number;
  /** Patterns that were already stored unchanged. */
  unchanged: number;
  /** Revision of the knowledge base after the import. */
  revision: number;
}

/** The knowledge base of scam patterns. Every change raises its revision by one. */
export interface ScamPatternBase {
  /**
   * Imports all pages or nothing. A pattern whose texts change loses their vectors.
   * @throws InvalidInput that names every wrong field of the first wrong page (`[3].title`), and its repeated
   * ids.
   */
  importPatterns(pages: Pages<ScamPattern[]>): Promise<PatternImport>;
  /** Number of changes, and number of patterns. */
  patternState(): Promise<{ revision: number; patterns: number }>;
  /** Patterns changed after this revision (0: all), by id. */
  patternsSince(revision: number): Promise<ScamPattern[]>;
  /** Vectors of one model computed after this revision (0: all). */
  vectorsSince(model: string, revision: number): Promise<Omit<PatternVector, 'text'>[]>;
  /**
   * Texts in these languages (null: all) without a vector of this model: at most `limit`, and their total
   * number.
   */
  textsToEmbed(
    model: string,
    languages: readonly string[] | null,
    limit: number,
  ): Promise<{ texts: TextToEmbed[]; total: number }>;
  /** Saves vectors of texts; skips a vector whose text has changed since. Returns the number saved. */
  saveVectors(model: string, vectors: PatternVector[]): Promise<number>;
  /** Deletes the vectors of one model, so that they are computed again. Returns their number. */
  dropVectors(model: string): Promise<number>;
  /** Index over the vectors of one model. */
  vectorIndex(model: string): VectorIndex;
}

/**
 * Validates patterns. @param before number of patterns that precede these. @throws InvalidInput that names
 * `[i].field`, including a repeated id.
 */
export function checkedPatterns(patterns: readonly ScamPattern[], before = 0): ScamPattern[] {
  const checked = checkedRows(scamPatternSchema, patterns, 'scam patterns', before);
  const first = new Map<string, number>();
  const twice = checked.flatMap(({ id }, i): FieldProblem[] => {
    const other = first.get(id);
    if (other === undefined) first.set(id, before + i);
    if (other === undefined) return [];
    return [{ path: `[${before + i}].id`, message: `is the id of [${other}] as well` }];
  });
  if (twice.length > 0) throw new InvalidInput(twice, 'scam patterns');
  return checked;
}

/** Digest of a pattern over its fields in a fixed order; equal for equal patterns. */
export function patternDigest(pattern: ScamPattern): string {
  const { id, title, category, scamType, redFlags, source, version } = pattern;
  const texts = Object.entries(pattern.texts).sort(([a], [b]) => (a < b ? -1 : 1));
  const fields = JSON.stringify([id, title, category, scamType, redFlags, source, version, texts]);
  return createHash('sha256').update(fields).digest('hex');
}

/** Checks that all have one dimension and finite numbers. @throws InvalidInput `vectors[i]`. */
export function checkVectors(vectors: { vector: number[] }[]): void {
  const dimension = vectors[0]?.vector.length ?? 0;
  const problems = vectors.flatMap(({ vector }, i) => {
    if (vector.length === 0 || vector.length !== dimension)
      return [
        { path: `vectors[${i}]`, message: `expected ${dimension || 'some'} numbers, found ${vector.length}` },
      ];
    if (!vector.every(Number.isFinite))
      return [{ path: `vectors[${i}]`, message: 'expected finite numbers' }];
    return [];
  });
  if (problems.length > 0) throw new InvalidInput(problems, 'vectors');
}
