import { createHash } from 'node:crypto';
import {
  InvalidInput,
  parseInput,
  scamPatternSchema,
  z,
  type FieldProblem,
  type ScamPattern,
} from '@casefile/contracts';

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
export interface ScamPatternBase {
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

const patternsSchema = z.array(scamPatternSchema).max(1_000_000);

/** Checked patterns. @throws InvalidInput that names `[i].field`; an id that comes twice is one of them. */
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

/** Says whether a pattern is the same: a digest over its fields in one order. */
export function digestOf(pattern: ScamPattern): string {
  const { id, title, category, scamType, redFlags, source, version } = pattern;
  const texts = Object.entries(pattern.texts).sort(([a], [b]) => (a < b ? -1 : 1));
  const fields = JSON.stringify([id, title, category, scamType, redFlags, source, version, texts]);
  return createHash('sha256').update(fields).digest('hex');
}

/** One dimension, finite numbers. @throws InvalidInput `vectors[i]`. */
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
