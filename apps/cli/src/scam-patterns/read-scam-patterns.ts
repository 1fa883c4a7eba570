import { basename } from 'node:path';
import { InvalidInput, type FieldProblem, type ScamPattern } from '@casefile/contracts';
import { entriesOf, type RawEntry } from '../input-entries.js';
import { readInputFile } from '../read-input-file.js';
import { readPattern } from './pattern-line.js';

const WHAT = 'file of scam patterns';

/**
 * The patterns of a CSV file (with a header line) or a JSON file (an array).
 * @throws InvalidInput that names every wrong line and field: either all of it is good or nothing is taken.
 */
export async function readScamPatterns(path: string): Promise<ScamPattern[]> {
  return parseScamPatterns(await readInputFile(path), basename(path));
}

/** @throws InvalidInput as `readScamPatterns`; `source` is for patterns that name none. */
export function parseScamPatterns(text: string, source: string): ScamPattern[] {
  const problems: FieldProblem[] = [];
  const places = new Map<string, string>();
  const patterns = entriesOf(text).flatMap((entry) => {
    const read = readEntry(entry, source);
    if ('problems' in read) {
      problems.push(...read.problems);
      return [];
    }
    const before = places.get(read.pattern.id);
    if (before !== undefined)
      problems.push({ path: `${entry.place}: id`, message: `is the id of ${before} as well` });
    places.set(read.pattern.id, before ?? entry.place);
    return [read.pattern];
  });
  if (problems.length > 0) throw new InvalidInput(problems, WHAT);
  if (patterns.length === 0)
    throw new InvalidInput([{ path: '', message: 'expected at least one pattern' }], WHAT);
  return patterns;
}

function readEntry({ place, fields }: RawEntry, source: string): ReturnType<typeof readPattern> {
  if (typeof fields === 'string') return { problems: [{ path: place, message: fields }] };
  const read = readPattern(fields, { source });
  if ('pattern' in read) return read;
  return { problems: read.problems.map(({ path, message }) => ({ path: `${place}: ${path}`, message })) };
}
