import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import {
  CasefileError,
  fieldProblems,
  IMPORT_LIMITS,
  InvalidInput,
  isObject,
  z,
  type FieldProblem,
} from '@casefile/contracts';
import { CsvError, parse, type Options } from 'csv-parse';
import { PageKeeper } from '../pages.js';
import { refuseManyEntries } from './count-entries.js';
import { afterBlanks, jsonElements } from './json-elements.js';

/** One entry of an imported file. */
interface RawEntry {
  /** Position as shown to people: `line 7`, `[3]`. */
  place: string;
  /** The entry's fields, or the reason why it cannot be read. */
  fields: Record<string, unknown> | string;
  /** Size in the file. */
  bytes: number;
}

/** Value of one entry, or its problems by field name. */
export type ReadEntry<T> = { value: T } | { problems: FieldProblem[] };

/** Receives the entries in pages. The pages count only if the whole file was read. */
export type KeepPage<T> = (page: T[]) => void;

/** Syntax of a file of entries. */
export interface EntryFormat<T> {
  /** Name of the file in errors. */
  what: string;
  /** Name of an entry in errors. */
  one: string;
  /** Receives keys in camelCase without empty values. */
  read(fields: Record<string, unknown>): ReadEntry<T>;
  /** Returns an id that must be unique. Default: ids may repeat. */
  idOf?(value: T): string;
}

/**
 * Reads a whole file of entries: CSV (with a header line) or JSON (an array). It is called in the bounded
 * process only, or for a file of this installation.
 * @returns the number of entries.
 * @throws InvalidInput that names the wrong lines and fields, at most 1,000; CasefileError `too_large`,
 * `unreadable_file`. Then no entry may be imported.
 */
export async function readEntries<T>(
  bytes: Buffer,
  { what, one, read, idOf }: EntryFormat<T>,
  keep: KeepPage<T>,
): Promise<number> {
  const problems: FieldProblem[] = [];
  const places = new Map<string, string>();
  const pages = new PageKeeper(keep);
  const report = (all: FieldProblem[]) =>
    void problems.push(...all.slice(0, IMPORT_LIMITS.problems - problems.length).map(shortened));
  for await (const { place, fields, bytes: size } of entriesIn(bytes)) {
    if (problems.length >= IMPORT_LIMITS.problems) break;
    if (typeof fields === 'string') {
      report([{ path: place, message: fields }]);
      continue;
    }
    const entry = read(withCamelCaseKeys(fields));
    if ('problems' in entry) {
      const at = (path: string) => (path === '' ? place : `${place}: ${path}`);
      report(entry.problems.map(({ path, message }) => ({ path: at(path), message })));
      continue;
    }
    const id = idOf?.(entry.value);
    const before = id === undefined ? undefined : places.get(id);
    if (before !== undefined) report([{ path: `${place}: id`, message: `is the id of ${before} as well` }]);
    if (id !== undefined) places.set(id, before ?? place);
    if (problems.length === 0) pages.add(entry.value, size);
  }
  if (problems.length >= IMPORT_LIMITS.problems)
    problems.push({ path: '', message: `only the first ${IMPORT_LIMITS.problems} problems are named` });
  if (problems.length > 0) throw new InvalidInput(problems, what);
  if (pages.total === 0)
    throw new InvalidInput([{ path: '', message: `expected at least one ${one}` }], what);
  pages.end();
  return pages.total;
}

const LONGEST_WORDS = 300;

// The names of fields come from the file.
function shortened({ path, message }: FieldProblem): FieldProblem {
  return { path: path.slice(0, LONGEST_WORDS), message: message.slice(0, LONGEST_WORDS) };
}

/** Returns all entries that `read` keeps. It is for files of this installation, which are small. */
export async function allEntries<T>(read: (keep: KeepPage<T>) => Promise<number>): Promise<T[]> {
  const all: T[] = [];
  await read((page) => all.push(...page));
  return all;
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

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

async function* entriesIn(file: Buffer): AsyncGenerator<RawEntry> {
  if (!isUtf8(file)) throw new CasefileError('unreadable_file', 'the file is not UTF-8 text');
  const hasMark = file.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  const text = hasMark ? file.subarray(BYTE_ORDER_MARK.length) : file;
  const isJson = text[afterBlanks(text, 0)] === '['.charCodeAt(0);
  refuseManyEntries(text, isJson);
  yield* isJson ? jsonEntries(text) : csvEntries(text);
}

function* jsonEntries(text: Buffer): Generator<RawEntry> {
  let index = 0;
  for (const { value, bytes } of jsonElements(text)) {
    yield { place: `[${index}]`, fields: isObject(value) ? value : 'expected an object', bytes };
    index += 1;
  }
}

async function* csvEntries(text: Buffer): AsyncGenerator<RawEntry> {
  let keys: string[] | null = null;
  let before = 0;
  for await (const { record, info } of csvRows(text)) {
    const bytes = info.bytes - before;
    before = info.bytes;
    if (keys === null) {
      keys = record;
      continue;
    }
    const place = `line ${info.lines}`;
    const { length } = keys;
    if (record.length === length)
      yield { place, fields: Object.fromEntries(keys.map((key, i) => [key, record[i]])), bytes };
    else
      yield { place, fields: `expected ${length} fields as the header has, found ${record.length}`, bytes };
  }
}

interface CsvRow {
  record: string[];
  info: { lines: number; bytes: number };
}

const CSV_OPTIONS: Options = {
  info: true,
  relax_column_count: true,
  skip_empty_lines: true,
  trim: true,
};
/** Bytes that the CSV parser gets at a time: it holds the rows of these. */
const SLICE_BYTES = 65_536;

async function* csvRows(text: Buffer): AsyncGenerator<CsvRow> {
  try {
    yield* Readable.from(slices(text)).pipe(parse(CSV_OPTIONS)) as AsyncIterable<CsvRow>;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error['lines'] === 'number' ? `line ${error['lines']}` : '';
    throw new InvalidInput([{ path: line, message: error.message }], 'CSV file');
  }
}

function* slices(text: Buffer): Generator<Buffer> {
  for (let from = 0; from < text.length; from += SLICE_BYTES) yield text.subarray(from, from + SLICE_BYTES);
}

/** Describes what is wrong with a file, in one line. */
export function whatIsWrong(error: CasefileError): string {
  if (!(error instanceof InvalidInput)) return error.message;
  return error.problems
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    .join('; ');
}
