import type { ScamPattern, ScamReportInput } from '@casefile/contracts';
import type { PolicyFile } from '../policies/find-documents.js';

/** A running Casefile, in this process or in several. */
export interface System {
  consoleUrl: string;
  ingestUrl: string;
  importScamReports(reports: ScamReportInput[]): Promise<void>;
  importPolicies(files: PolicyFile[]): Promise<void>;
  /** Only where the knowledge base is empty. */
  seedScamPatterns(patterns: ScamPattern[]): Promise<void>;
  /** Ordered stop; safe to call twice. */
  stop(): Promise<void>;
}
