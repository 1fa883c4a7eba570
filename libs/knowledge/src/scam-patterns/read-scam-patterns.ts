import { scamPatternSchema, type ScamPattern } from '@casefile/contracts';
import { problemsOf, readEntries, type ReadEntry } from '../entries.js';
import type { ScamPatternBase } from './scam-pattern-base.js';

const TEXT_COLUMN = /^text_([a-zA-Z-]+)$/;
const lineSchema = scamPatternSchema.strict();

/**
 * The patterns of a CSV text (with a header line) or a JSON text (an array). In CSV each language has a column (`text_en`,
 * `text_hi-Latn`) and red flags stand in one, with `;` between them. Keys may be in snake_case; empty ones count as left
 * out; without a version it is the first.
 * @param source for patterns that name none.
 * @throws InvalidInput that names every wrong line and field: either all of it is good or nothing is taken.
 */
export async function parseScamPatterns(text: string, source: string): Promise<ScamPattern[]> {
  const file = { what: 'file of scam patterns', one: 'pattern' };
  return readEntries(
    text,
    file,
    (fields) => readPattern(fields, source),
    ({ id }) => id,
  );
}

function readPattern(fields: Record<string, unknown>, source: string): ReadEntry<ScamPattern> {
  const columns = Object.entries(fields).flatMap(([key, value]) => {
    const language = TEXT_COLUMN.exec(key)?.[1];
    return language === undefined ? [] : [[language, value] as const];
  });
  const rest = Object.entries(fields).filter(([key]) => !TEXT_COLUMN.test(key));
  const given: Record<string, unknown> = {
    source,
    version: 1,
    redFlags: [],
    ...Object.fromEntries(rest),
    ...(columns.length === 0 ? {} : { texts: Object.fromEntries(columns) }),
  };
  const parsed = lineSchema.safeParse({
    ...given,
    redFlags: listOf(given['redFlags']),
    version: wholeNumber(given['version']),
  });
  return parsed.success ? { value: parsed.data } : { problems: problemsOf(parsed.error, 'pattern') };
}

function listOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value
    .split(';')
    .map((flag) => flag.trim())
    .filter((flag) => flag !== '');
}

// Cells of CSV are text.
function wholeNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,9}$/.test(value.trim()) ? Number(value) : value;
}

/**
 * Imports the starting set into a knowledge base that is empty, and brings one up to date that has an earlier edition of
 * it: patterns that it lacks, and those whose version is higher now. A pattern that somebody else has put under the same
 * id stays theirs (its source differs), and a knowledge base without any of the set is left alone.
 */
export async function seedPatterns(base: ScamPatternBase, patterns: ScamPattern[]): Promise<void> {
  const known = new Map((await base.patternsSince(0)).map((pattern) => [pattern.id, pattern]));
  const isOwn = ({ id, source }: ScamPattern) => known.get(id)?.source === source;
  if (known.size > 0 && !patterns.some(isOwn)) return;
  const newer = patterns.filter((pattern) => {
    const before = known.get(pattern.id);
    return before === undefined || (isOwn(pattern) && before.version < pattern.version);
  });
  if (newer.length > 0) await base.importPatterns(newer);
}
