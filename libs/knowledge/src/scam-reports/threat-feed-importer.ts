import { builtModule, parseInput, THREAT_FEED_IMPORT, THREAT_TYPES, z } from '@casefile/contracts';
import { ImportFile, importTask, onlyFile } from '../import-file.js';
import type { Importer } from '../importer.js';
import type { ThreatFeedOptions } from './read-threat-feed.js';
import type { ScamReportInput } from './scam-report-base.js';

const READ_FEED = importTask<ThreatFeedOptions, number, ScamReportInput[]>({
  module: builtModule('./read-feed-task.js', import.meta.url),
  load: () => import('./read-feed-task.js'),
});

const RISK = 80;

const optionsSchema = z.object({
  type: z.enum(THREAT_TYPES).default('domain'),
  risk: z.coerce
    .number({ error: 'expected 0 to 100' })
    .min(0, 'expected 0 to 100')
    .max(100, 'expected 0 to 100')
    .default(RISK),
});

/** `casefile import threat-feed FILE` */
export const threatFeedImporter: Importer = {
  name: THREAT_FEED_IMPORT.name,
  prepare(source, input) {
    const { type, risk } = parseInput(optionsSchema, input, 'command');
    const file = onlyFile(source, 'expected a file with one value per line');
    return ({ knowledge, news, signal }) => {
      const reading = {
        runner: knowledge.runner,
        task: READ_FEED,
        args: () => ({ type, risk, source: file.name }),
        context: { signal },
      };
      return ImportFile.readPaged([file], reading, async (_total, pages) => {
        const counts = await knowledge.scamReports.importAll(pages);
        news.result(`${counts.inserted} new, ${counts.replaced} replaced`, counts);
        return true;
      });
    };
  },
};
