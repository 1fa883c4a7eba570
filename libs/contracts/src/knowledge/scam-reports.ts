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
  feed: true,
  json: 'print the counts as JSON',
};

/** Types of the values of a threat feed. */
export const THREAT_TYPES = ['domain', 'url', 'ip', 'email'] as const;
export type ThreatType = (typeof THREAT_TYPES)[number];

export const THREAT_FEED_IMPORT: ImportCommand = {
  name: 'threat-feed',
  description:
    'import a list of bad values into the scam database: all of a file, or nothing when a line is wrong',
  argument: ['<file>', 'one value per line; lines that begin with # are skipped; - for standard input'],
  options: [
    { flags: '--type <type>', description: 'what the lines are; default: domain', choices: THREAT_TYPES },
    { flags: '--risk <score>', description: 'risk of the values, 0 to 100; default: 80' },
  ],
  feed: true,
  json: 'print the counts as JSON',
};
