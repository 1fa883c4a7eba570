import { SCAM_REPORTS_IMPORT } from '@casefile/contracts';
import { onlyText } from '../import-source.js';
import type { Importer } from '../importer.js';
import { parseScamReports } from './read-scam-reports.js';

/** `casefile import scam-reports FILE` */
export const scamReportImporter: Importer = {
  name: SCAM_REPORTS_IMPORT.name,
  async read(source) {
    const text = await onlyText(source, 'expected a file of scam reports');
    const reports = await parseScamReports(text, source.files[0]?.name ?? '');
    return async ({ knowledge, news }) => {
      const progress = news.progress('importing', reports.length);
      const counts = await knowledge.scamReports.importAll(reports).finally(() => progress.end());
      news.result(`${counts.inserted} new, ${counts.replaced} replaced`, counts);
      return true;
    };
  },
};
