/** What the scam database knows of one value. S1-11. */
export interface ScamRecord {
  reportCount: number;
  /** 0..100. */
  riskScore: number;
  firstReportedAt: string | null;
  lastReportedAt: string | null;
}

/** One line of an import: a value and how often it was reported. */
export interface ScamReportInput {
  entityType: string;
  /** Normalised as entities are: E.164, lower-case registrable domain, ... */
  entityValue: string;
  reportCount: number;
  riskScore: number;
  firstReportedAt?: string;
  lastReportedAt?: string;
  source: string;
}

/** The scam database. */
export interface ScamReports {
  find(entityType: string, entityValue: string): Promise<ScamRecord | null>;
  /** All or nothing; the same (type, value, source) again replaces what was there. */
  importAll(reports: ScamReportInput[]): Promise<{ inserted: number; replaced: number }>;
}
