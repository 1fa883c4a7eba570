import { basename } from 'node:path';
import { CasefileError, InvalidInput, type FieldProblem, type ScamReportInput } from '@casefile/contracts';
import { CsvError, parse } from 'csv-parse/sync';
import { readInputFile } from '../read-input-file.js';
import { readReport } from './report-line.js';

interface RawLine {
  /** As a person finds it: `line 7`, `[3]`. */
  place: string;
  fields: Record<string, unknown>;
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
  const lines = /^\s*\[/.test(text) ? jsonLines(text, problems) : csvLines(text, problems);
  const reports = lines.flatMap(({ place, fields }) => {
    const read = readReport(fields, { source });
    if ('report' in read) return [read.report];
    problems.push(
      ...read.problems.map((problem) => ({ ...problem, path: `${place}: ${problem.path || 'report'}` })),
    );
    return [];
  });
  if (problems.length > 0) throw new InvalidInput(problems, 'file of scam reports');
  if (reports.length === 0)
    throw new InvalidInput([{ path: '', message: 'expected at least one report' }], 'file of scam reports');
  return reports;
}

function csvLines(text: string, problems: FieldProblem[]): RawLine[] {
  const rows = csvRows(text);
  const [header, ...rest] = rows;
  if (header === undefined) return [];
  return rest.flatMap(({ record, info }) => {
    const place = `line ${info.lines}`;
    if (record.length !== header.record.length) {
      const message = `expected ${header.record.length} fields as the header has, found ${record.length}`;
      problems.push({ path: place, message });
      return [];
    }
    return [{ place, fields: Object.fromEntries(header.record.map((key, index) => [key, record[index]])) }];
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

function jsonLines(text: string, problems: FieldProblem[]): RawLine[] {
  const entries = jsonArray(text);
  return entries.flatMap((entry, index) => {
    if (typeof entry === 'object' && entry !== null && !Array.isArray(entry)) {
      return [{ place: `[${index}]`, fields: entry as Record<string, unknown> }];
    }
    problems.push({ path: `[${index}]`, message: 'expected an object' });
    return [];
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
