import { createHash } from 'node:crypto';
import {
  InvalidInput,
  parseInput,
  scamPatternSchema,
  z,
  type FieldProblem,
  type ScamPattern,
} from '@casefile/contracts';

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
   * Imports completely or not at all. A pattern whose texts change loses their vectors.
   * @throws InvalidInput that names every wrong field (`[3].title`), and repeated ids.
   */
  importPatterns(patterns: ScamPattern[]): Promise<PatternImport>;
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

const patternsSchema = z.array(scamPatternSchema).max(1_000_000);

/** Validates patterns. @throws InvalidInput that names `[i].field`, including a repeated id. */
export function checkedPatterns(patterns: ScamPattern[]): ScamPattern[] {
  const checked = parseInput(patternsSchema, patterns, 'scam patterns');
  const first = new Map<string, number>();
  const twice: FieldProblem[] = checked.flatMap(({ id }, i) => {
    const before = first.get(id);
    if (before === undefined) first.set(id, i);
    return before === undefined ? [] : [{ path: `[${i}].id`, message: `is the id of [${before}] as well` }];
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
