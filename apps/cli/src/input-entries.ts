import { CasefileError, InvalidInput } from '@casefile/contracts';
import { CsvError, parse } from 'csv-parse/sync';

/** One entry of a file that is imported. */
export interface RawEntry {
  /** As a person finds it: `line 7`, `[3]`. */
  place: string;
  /** What it holds, or why it cannot be read as an entry at all. */
  fields: Record<string, unknown> | string;
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
