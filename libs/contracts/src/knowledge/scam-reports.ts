import type { ImportCommand } from './import-command.js';

/** Entry of the scam database for one value. */
export interface ScamRecord {
  reportCount: number;
  /** 0..100. */
  riskScore: number;
  firstReportedAt: string | null;
  lastReportedAt: string | null;
}

/** Search in the scam database. */
export interface ScamReports {
  find(entityType: string, entityValue: string): Promise<ScamRecord | null>;
}

export const SCAM_REPORTS_IMPORT: ImportCommand = {
  name: 'scam-reports',
  description: 'import reports into the scam database: all of a file, or nothing when a line is wrong',
  argument: ['<file>', 'CSV with a header line, or a JSON array; - for standard input'],
  options: [],
  json: 'print the counts as JSON',
};
