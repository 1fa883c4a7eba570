import type { Importer } from './importer.js';
import { policyImporter } from './policies/policy-importer.js';
import { runbookImporter } from './runbooks/runbook-importer.js';
import { scamPatternImporter } from './scam-patterns/scam-pattern-importer.js';
import { scamReportImporter } from './scam-reports/scam-report-importer.js';
import { threatFeedImporter } from './scam-reports/threat-feed-importer.js';

/** Importers of all knowledge bases. */
export const importers: readonly Importer[] = [
  scamReportImporter,
  threatFeedImporter,
  scamPatternImporter,
  policyImporter,
  runbookImporter,
];
