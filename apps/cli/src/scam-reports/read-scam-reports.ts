import { basename } from 'node:path';
import { CasefileError, InvalidInput, type FieldProblem, type ScamReportInput } from '@casefile/contracts';
import { CsvError, parse } from 'csv-parse/sync';
import { readInputFile } from '../read-input-file.js';
import { readReport } from './report-line.js';

interface RawLine {
  /** As a person finds it: `line 7`, `[3]`. */
  place: string;
  /** What it holds, or why it cannot be read as a line at all. */
  fields: Record<string, unknown> | string;
}

/**
 * The reports of a CSV file (with a header line) or a JSON file (an array).
 * @throws InvalidInput that names every wrong line and field: either all of it is good or nothing is taken.
 */
export async function readScamReports(path: string): Promise<ScamReportInput[]> {
  return parseScamReports(await readInputFile(path), basename(path));
}

/** @throws InvalidInput as `readScamReports`; `source` is for reports that name none. */
export function parseScamReports(text: string, source: string): ScamReportInput[] {
  const problems: FieldProblem[] = [];
  const lines = /^\s*\[/.test(text) ? jsonLines(text) : csvLines(text);
  const reports = lines.flatMap((line) => {
    const read = readLine(line, source);
    if ('report' in read) return [read.report];
    problems.push(...read.problems);
    return [];
  });
  if (problems.length > 0) throw new InvalidInput(problems, 'file of scam reports');
  if (reports.length === 0)
    throw new InvalidInput([{ path: '', message: 'expected at least one report' }], 'file of scam reports');
  return reports;
}

function readLine({ place, fields }: RawLine, source: string): ReturnType<typeof readReport> {
  if (typeof fields === 'string') return { problems: [{ path: place, message: fields }] };
  const read = readReport(fields, { source });
  if ('report' in read) return read;
  return {
    problems: read.problems.map(({ path, message }) => ({
      path: path === '' ? place : `${place}: ${path}`,
      message,
    })),
  };
}

function csvLines(text: string): RawLine[] {
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

function jsonLines(text: string): RawLine[] {
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
