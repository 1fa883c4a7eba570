import type { Importer } from './importer.js';
import { policyImporter } from './policies/policy-importer.js';
import { runbookImporter } from './runbooks/runbook-importer.js';
import { scamPatternImporter } from './scam-patterns/scam-pattern-importer.js';
import { scamReportImporter } from './scam-reports/scam-report-importer.js';

/** Importers of all knowledge bases. */
export const importers: readonly Importer[] = [
  scamReportImporter,
  scamPatternImporter,
  policyImporter,
  runbookImporter,
];
