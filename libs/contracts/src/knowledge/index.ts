import type { ImportCommand } from './import-command.js';
import { SCAM_PATTERNS_IMPORT } from './pattern-search.js';
import { POLICY_IMPORT } from './policies.js';
import { RUNBOOKS_IMPORT } from './runbooks.js';
import { SCAM_REPORTS_IMPORT, THREAT_FEED_IMPORT } from './scam-reports.js';

export type { ImportCommand, ImportOption } from './import-command.js';
export * from './lessons.js';
export * from './past-cases.js';
export * from './pattern-search.js';
export * from './policies.js';
export * from './runbooks.js';
export * from './scam-reports.js';
export * from './text-signals.js';

/** Import commands of all knowledge bases. */
export const IMPORT_COMMANDS: readonly ImportCommand[] = [
  SCAM_REPORTS_IMPORT,
  THREAT_FEED_IMPORT,
  SCAM_PATTERNS_IMPORT,
  POLICY_IMPORT,
  RUNBOOKS_IMPORT,
];
