import { scamPatternSchema, type ScamPattern } from '@casefile/contracts';
import {
  allEntries,
  errorProblems,
  readEntries,
  type KeepPage,
  type ReadEntry,
} from '../entries/read-entries.js';
import { inPages } from '../pages.js';
import type { ScamPatternBase } from './scam-pattern-base.js';

const TEXT_COLUMN = /^text_([a-zA-Z-]+)$/;
const lineSchema = scamPatternSchema.strict();

/**
 * Reads patterns from CSV (with a header line) or JSON (an array). In CSV each language has a column
 * (`text_en`, `text_hi-Latn`), and red flags are separated by `;`. Keys may be in snake_case; empty ones count
 * as left out. Default version: 1.
 * @param source for patterns that name none.
 * @returns the number of patterns. @throws as `readEntries`.
 */
export function readScamPatterns(
  bytes: Buffer,
  source: string,
  keep: KeepPage<ScamPattern>,
): Promise<number> {
  const read = (fields: Record<string, unknown>) => readPattern(fields, source);
  const idOf = ({ id }: ScamPattern) => id;
  return readEntries(bytes, { what: 'file of scam patterns', one: 'pattern', read, idOf }, keep);
}

/** Returns the patterns of a small file. @throws as `readScamPatterns`. */
export function parseScamPatterns(text: string, source: string): Promise<ScamPattern[]> {
  return allEntries((keep) => readScamPatterns(Buffer.from(text), source, keep));
}

function readPattern(fields: Record<string, unknown>, source: string): ReadEntry<ScamPattern> {
  const columns = Object.entries(fields).flatMap(([key, value]) => {
    const language = TEXT_COLUMN.exec(key)?.[1];
    return language === undefined ? [] : [[language, value] as const];
  });
  const rest = Object.entries(fields).filter(([key]) => !TEXT_COLUMN.test(key));
  const entry: Record<string, unknown> = {
    source,
    version: 1,
    redFlags: [],
    ...Object.fromEntries(rest),
    ...(columns.length === 0 ? {} : { texts: Object.fromEntries(columns) }),
  };
  const parsed = lineSchema.safeParse({
    ...entry,
    redFlags: toList(entry['redFlags']),
    version: wholeNumber(entry['version']),
  });
  return parsed.success ? { value: parsed.data } : { problems: errorProblems(parsed.error, 'pattern') };
}

function toList(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value
    .split(';')
    .map((flag) => flag.trim())
    .filter((flag) => flag !== '');
}

// Converts CSV cells, which are text.
function wholeNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,9}$/.test(value.trim()) ? Number(value) : value;
}

/**
 * Imports the starting set into an empty knowledge base, or updates one with an earlier edition: adds missing
 * patterns and replaces those with a lower version. A pattern of another source under the same id is kept. A
 * knowledge base without any pattern of the set stays unchanged.
 */
export async function seedPatterns(base: ScamPatternBase, patterns: ScamPattern[]): Promise<void> {
  const patternsById = new Map((await base.patternsSince(0)).map((pattern) => [pattern.id, pattern]));
  const isOwn = ({ id, source }: ScamPattern) => patternsById.get(id)?.source === source;
  if (patternsById.size > 0 && !patterns.some(isOwn)) return;
  const newer = patterns.filter((pattern) => {
    const before = patternsById.get(pattern.id);
    return before === undefined || (isOwn(pattern) && before.version < pattern.version);
  });
  if (newer.length > 0) await base.importPatterns(inPages(newer));
}
