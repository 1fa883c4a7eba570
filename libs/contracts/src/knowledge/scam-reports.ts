/** What the scam database knows of one value. S1-11. */
export interface ScamRecord {
  reportCount: number;
  /** 0..100. */
  riskScore: number;
  firstReportedAt: string | null;
  lastReportedAt: string | null;
}

/** The scam database, as it is looked up. */
export interface ScamReports {
  find(entityType: string, entityValue: string): Promise<ScamRecord | null>;
}
