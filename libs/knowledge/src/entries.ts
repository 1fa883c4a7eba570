import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import {
  CasefileError,
  fieldProblems,
  InvalidInput,
  isObject,
  z,
  type FieldProblem,
} from '@casefile/contracts';
import { CsvError, parse, type Options } from 'csv-parse';

/** One entry of an imported file. */
interface RawEntry {
  /** Position as shown to people: `line 7`, `[3]`. */
  place: string;
  /** The entry's fields, or the reason why it cannot be read. */
  fields: Record<string, unknown> | string;
}

/** Value of one entry, or its problems by field name. */
export type ReadEntry<T> = { value: T } | { problems: FieldProblem[] };

/**
 * Reads a whole file of entries: a CSV text (with a header line) or a JSON text (an array). The file may be
 * large, so it is read in slices, and other work of this process continues between them.
 * @param read receives keys in camelCase without empty values.
 * @param idOf returns an id that must be unique. Default: ids may repeat.
 * @throws InvalidInput that names every wrong line and field; then no entry is imported.
 */
export async function readEntries<T>(
  text: string,
  { what, one }: { what: string; one: string },
  read: (fields: Record<string, unknown>) => ReadEntry<T>,
  idOf?: (value: T) => string,
): Promise<T[]> {
  const problems: FieldProblem[] = [];
  const places = new Map<string, string>();
  const values: T[] = [];
  for await (const { place, fields } of textEntries(text)) {
    if (typeof fields === 'string') {
      problems.push({ path: place, message: fields });
      continue;
    }
    const entry = read(withCamelCaseKeys(fields));
    if ('problems' in entry) {
      const at = (path: string) => (path === '' ? place : `${place}: ${path}`);
      problems.push(...entry.problems.map(({ path, message }) => ({ path: at(path), message })));
      continue;
    }
    const id = idOf?.(entry.value);
    const before = id === undefined ? undefined : places.get(id);
    if (before !== undefined)
      problems.push({ path: `${place}: id`, message: `is the id of ${before} as well` });
    if (id !== undefined) places.set(id, before ?? place);
    values.push(entry.value);
  }
  if (problems.length > 0) throw new InvalidInput(problems, what);
  if (values.length === 0)
    throw new InvalidInput([{ path: '', message: `expected at least one ${one}` }], what);
  return values;
}

/** Problems of an entry; an unknown field is reported separately. */
export function errorProblems(error: z.ZodError, one: string): FieldProblem[] {
  return error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return fieldProblems(new z.ZodError([issue]));
    return issue.keys.map((path) => ({ path, message: `is not a field of a ${one}` }));
  });
}

// Converts keys to camelCase. `text_hi-Latn` is the column of a language: the part after the first underscore
// is kept.
function withCamelCaseKeys(fields: Record<string, unknown>): Record<string, unknown> {
  const filled = Object.entries(fields).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  );
  return Object.fromEntries(
    filled.map(([key, value]) => [
      COLUMN_OF_A_LANGUAGE.test(key.trim()) ? key.trim() : camelCase(key),
      value,
    ]),
  );
}

const COLUMN_OF_A_LANGUAGE = /^text_[a-zA-Z-]+$/;

function camelCase(key: string): string {
  return key.trim().replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

/** Bytes of CSV, or entries of JSON, that are read without a pause; each slice takes some milliseconds. */
const SLICE_BYTES = 16_384;
const ENTRIES_A_SLICE = 250;

/**
 * Yields the entries of a CSV text (with a header line) or a JSON text (an array).
 * @throws InvalidInput for broken CSV, CasefileError `unreadable_file` for broken JSON.
 */
export async function* textEntries(text: string): AsyncGenerator<RawEntry> {
  yield* /^\s*\[/.test(text) ? jsonEntries(text) : csvEntries(text);
}

async function* csvEntries(text: string): AsyncGenerator<RawEntry> {
  let keys: string[] | null = null;
  for await (const { record, info } of csvRows(text)) {
    if (keys === null) {
      keys = record;
      continue;
    }
    const place = `line ${info.lines}`;
    const { length } = keys;
    if (record.length === length)
      yield { place, fields: Object.fromEntries(keys.map((key, i) => [key, record[i]])) };
    else yield { place, fields: `expected ${length} fields as the header has, found ${record.length}` };
  }
}

interface CsvRow {
  record: string[];
  info: { lines: number };
}

const CSV_OPTIONS: Options = {
  bom: true,
  info: true,
  relax_column_count: true,
  skip_empty_lines: true,
  trim: true,
};

async function* csvRows(text: string): AsyncGenerator<CsvRow> {
  try {
    yield* Readable.from(textSlices(text)).pipe(parse(CSV_OPTIONS)) as AsyncIterable<CsvRow>;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error['lines'] === 'number' ? `line ${error['lines']}` : '';
    throw new InvalidInput([{ path: line, message: error.message }], 'CSV file');
  }
}

async function* textSlices(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
    yield bytes.subarray(from, from + SLICE_BYTES);
    await setImmediate();
  }
}

async function* jsonEntries(text: string): AsyncGenerator<RawEntry> {
  for (const [index, entry] of jsonArray(text).entries()) {
    if (index % ENTRIES_A_SLICE === ENTRIES_A_SLICE - 1) await setImmediate();
    const place = `[${index}]`;
    yield { place, fields: isObject(entry) ? entry : 'expected an object' };
  }
}

function jsonArray(text: string): unknown[] {
  try {
    return JSON.parse(text) as unknown[];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CasefileError('unreadable_file', `the file is not JSON: ${why}`, { cause: error });
  }
}

/** Describes what is wrong with a file, in one line. */
export function whatIsWrong(error: CasefileError): string {
  if (!(error instanceof InvalidInput)) return error.message;
  return error.problems
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    .join('; ');
}
