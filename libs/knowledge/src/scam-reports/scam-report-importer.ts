import { builtModule, SCAM_REPORTS_IMPORT } from '@casefile/contracts';
import { ImportFile, importTask, onlyFile } from '../import-file.js';
import type { Importer } from '../importer.js';
import type { ScamReportInput } from './scam-report-base.js';

const READ_REPORTS = importTask<{ source: string }, number, ScamReportInput[]>({
  module: builtModule('./read-reports-task.js', import.meta.url),
  load: () => import('./read-reports-task.js'),
});

/** `casefile import scam-reports FILE` */
export const scamReportImporter: Importer = {
  name: SCAM_REPORTS_IMPORT.name,
  prepare(source) {
    const file = onlyFile(source, 'expected a file of scam reports');
    return ({ knowledge, news, signal }) => {
      const reading = {
        runner: knowledge.runner,
        task: READ_REPORTS,
        args: () => ({ source: file.name }),
        context: { signal },
      };
      return ImportFile.readPaged([file], reading, async (total, pages) => {
        const progress = news.progress('importing', total);
        const counts = await knowledge.scamReports
          .importAll(pages, (done) => progress.to(done))
          .finally(() => progress.end());
        news.result(`${counts.inserted} new, ${counts.replaced} replaced`, counts);
        return true;
      });
    };
  },
};
