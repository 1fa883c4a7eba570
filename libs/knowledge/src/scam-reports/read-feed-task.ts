import type { TaskModule } from '@casefile/contracts';
import { readThreatFeed, type ThreatFeedOptions } from './read-threat-feed.js';
import type { ScamReportInput } from './scam-report-base.js';

/** `readThreatFeed`, as a task. */
export const run: TaskModule<ThreatFeedOptions, number, ScamReportInput[]>['run'] = async (
  bytes,
  options,
  { keep },
) => readThreatFeed(bytes, options, keep);
