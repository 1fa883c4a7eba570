import { basename } from 'node:path';
import { InvalidInput, type FieldProblem, type ScamReportInput } from '@casefile/contracts';
import { entriesOf, type RawEntry } from '../input-entries.js';
import { readInputFile } from '../read-input-file.js';
import { readReport } from './report-line.js';

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
  const reports = entriesOf(text).flatMap((line) => {
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

function readLine({ place, fields }: RawEntry, source: string): ReturnType<typeof readReport> {
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
