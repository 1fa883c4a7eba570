import type { ScamPattern, ScamReportInput } from '@casefile/contracts';
import type { ModelProbes } from '@casefile/runtime';
import type { PolicyFile } from '../policies/find-documents.js';

/** A running Casefile, in this process or in several. */
export interface System {
  consoleUrl: string;
  ingestUrl: string;
  /** Do the configured models answer? */
  probes: Pick<ModelProbes, 'all'>;
  importScamReports(reports: ScamReportInput[]): Promise<void>;
  importPolicies(files: PolicyFile[]): Promise<void>;
  /** Only where the knowledge base is empty. */
  seedScamPatterns(patterns: ScamPattern[]): Promise<void>;
  /** Ordered stop; safe to call twice. */
  stop(): Promise<void>;
}
