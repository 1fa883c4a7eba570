import { CasefileError, fieldProblems, InvalidInput, z, type FieldProblem } from '@casefile/contracts';
import { CsvError, parse } from 'csv-parse/sync';

/** One entry of a file that is imported. */
interface RawEntry {
  /** As a person finds it: `line 7`, `[3]`. */
  place: string;
  /** What it holds, or why it cannot be read as an entry at all. */
  fields: Record<string, unknown> | string;
}

/** What one entry was read as, or what is wrong in it by the field's name. */
export type ReadEntry<T> = { value: T } | { problems: FieldProblem[] };

/**
 * Reads a whole file of entries: a CSV text (with a header line) or a JSON text (an array).
 * @param read sees keys in camelCase; empty ones are left out.
 * @param idOf entries with the same id are wrong; absent: they may come twice.
 * @throws InvalidInput that names every wrong line and field: either all of it is good or nothing is taken.
 */
export function readEntries<T>(
  text: string,
  { what, one }: { what: string; one: string },
  read: (fields: Record<string, unknown>) => ReadEntry<T>,
  idOf?: (value: T) => string,
): T[] {
  const problems: FieldProblem[] = [];
  const places = new Map<string, string>();
  const values = entriesOf(text).flatMap(({ place, fields }): T[] => {
    if (typeof fields === 'string') {
      problems.push({ path: place, message: fields });
      return [];
    }
    const entry = read(withCamelCaseKeys(fields));
    if ('problems' in entry) {
      const at = (path: string) => (path === '' ? place : `${place}: ${path}`);
      problems.push(...entry.problems.map(({ path, message }) => ({ path: at(path), message })));
      return [];
    }
    const id = idOf?.(entry.value);
    const before = id === undefined ? undefined : places.get(id);
    if (before !== undefined)
      problems.push({ path: `${place}: id`, message: `is the id of ${before} as well` });
    if (id !== undefined) places.set(id, before ?? place);
    return [entry.value];
  });
  if (problems.length > 0) throw new InvalidInput(problems, what);
  if (values.length === 0)
    throw new InvalidInput([{ path: '', message: `expected at least one ${one}` }], what);
  return values;
}

/** Problems of an entry; a field that does not belong there is named by itself. */
export function problemsOf(error: z.ZodError, one: string): FieldProblem[] {
  return error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return fieldProblems(new z.ZodError([issue]));
    return issue.keys.map((path) => ({ path, message: `is no field of a ${one}` }));
  });
}

// `text_hi-Latn` is the column of a language: what comes after its first part stays as it is.
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

/**
 * The entries of a CSV text (with a header line) or a JSON text (an array).
 * @throws InvalidInput for broken CSV, CasefileError `unreadable_file` for broken JSON.
 */
export function entriesOf(text: string): RawEntry[] {
  return /^\s*\[/.test(text) ? jsonLines(text) : csvLines(text);
}

function csvLines(text: string): RawEntry[] {
  const [header, ...rest] = csvRows(text);
  if (header === undefined) return [];
  const keys = header.record;
  return rest.map(({ record, info }) => {
    const place = `line ${info.lines}`;
    if (record.length === keys.length)
      return { place, fields: Object.fromEntries(keys.map((key, i) => [key, record[i]])) };
    return { place, fields: `expected ${keys.length} fields as the header has, found ${record.length}` };
  });
}

function csvRows(text: string): { record: string[]; info: { lines: number } }[] {
  try {
    const options = {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    } as const;
    return parse(text, options) as unknown as ReturnType<typeof csvRows>;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error['lines'] === 'number' ? `line ${error['lines']}` : '';
    throw new InvalidInput([{ path: line, message: error.message }], 'CSV file');
  }
}

function jsonLines(text: string): RawEntry[] {
  return jsonArray(text).map((entry, index) => {
    const isObject = typeof entry === 'object' && entry !== null && !Array.isArray(entry);
    return {
      place: `[${index}]`,
      fields: isObject ? (entry as Record<string, unknown>) : 'expected an object',
    };
  });
}

function jsonArray(text: string): unknown[] {
  try {
    return JSON.parse(text) as unknown[];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CasefileError('unreadable_file', `the file is not JSON: ${why}`, { cause: error });
  }
}

/** What is wrong with a file, in one line. */
export function whatIsWrong(error: CasefileError): string {
  if (!(error instanceof InvalidInput)) return error.message;
  return error.problems
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    .join('; ');
}
