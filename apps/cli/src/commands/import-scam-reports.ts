import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { readScamReports } from '../scam-reports/read-scam-reports.js';

/** `casefile import scam-reports FILE` */
export function addImportScamReports(imports: Command, { terminal, end }: CommandContext): void {
  imports
    .command('scam-reports')
    .description('import reports into the scam database: all of a file, or nothing when a line is wrong')
    .argument('<file>', 'CSV with a header line, or a JSON array; - for standard input')
    .option('--json', 'print the counts as JSON')
    .action(async (file: string, options: { json?: boolean }) => {
      const reports = await readScamReports(file);
      const { openStore } = await import('../open-store.js');
      const store = await openStore();
      try {
        const { inserted, replaced } = await store.importScamReports(reports, terminal);
        terminal.out(
          options.json ? JSON.stringify({ inserted, replaced }) : `${inserted} new, ${replaced} replaced`,
        );
      } finally {
        await store.close();
      }
      end(EXIT.ok);
    });
}
