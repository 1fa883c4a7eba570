import { parseInput, THREAT_FEED_IMPORT, THREAT_TYPES, z } from '@casefile/contracts';
import { onlyText } from '../import-source.js';
import type { Importer } from '../importer.js';
import { parseThreatFeed } from './read-threat-feed.js';

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
  async read(source, input) {
    const { type, risk } = parseInput(optionsSchema, input, 'command');
    const text = await onlyText(source, 'expected a file with one value per line');
    const reports = await parseThreatFeed(text, { type, risk, source: source.files[0]?.name ?? '' });
    return async ({ knowledge, news }) => {
      const counts = await knowledge.scamReports.importAll(reports);
      news.result(`${counts.inserted} new, ${counts.replaced} replaced`, counts);
      return true;
    };
  },
};
