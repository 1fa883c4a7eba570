import { createHash } from 'node:crypto';
import {
  InvalidInput,
  parseInput,
  scamPatternSchema,
  z,
  type FieldProblem,
  type ScamPattern,
} from '@casefile/contracts';

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
