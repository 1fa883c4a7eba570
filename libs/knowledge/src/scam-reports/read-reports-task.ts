import type { TaskModule } from '@casefile/contracts';
import { readScamReports } from './read-scam-reports.js';
import type { ScamReportInput } from './scam-report-base.js';

/** `readScamReports`, as a task. */
export const run: TaskModule<{ source: string }, number, ScamReportInput[]>['run'] = (
  bytes,
  { source },
  { keep },
) => readScamReports(bytes, source, keep);
