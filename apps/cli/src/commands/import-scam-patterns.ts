import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { openStore } from '../open-store.js';
import { readScamPatterns } from '../scam-patterns/read-scam-patterns.js';

/** `casefile import scam-patterns FILE` */
export function addImportScamPatterns(imports: Command, { terminal, end }: CommandContext): void {
  imports
    .command('scam-patterns')
    .description('import known scam patterns: all of a file, or nothing when a line is wrong')
    .argument('<file>', 'JSON array, or CSV with a header line; - for standard input')
    .option('--embed-again', 'make the vectors of all patterns anew')
    .option('--json', 'print the counts as JSON')
    .action(async (file: string, options: { json?: boolean; embedAgain?: boolean }) => {
      const patterns = await readScamPatterns(file);
      const store = await openStore();
      try {
        const { embeddingFailure: failure, ...counts } = await store.importScamPatterns(
          patterns,
          terminal,
          options.embedAgain ?? false,
        );
        const { inserted, replaced, unchanged, revision, embedded } = counts;
        const failed = failure === null ? {} : { embeddingFailure: failure.reasonCode };
        const line = `${inserted} new, ${replaced} replaced, ${unchanged} unchanged; revision ${revision}; ${embedded} texts embedded`;
        terminal.out(options.json ? JSON.stringify({ ...counts, ...failed }) : line);
        if (failure !== null)
          terminal.err(
            `casefile: the patterns are in, but not all have their vectors (${failure.reasonCode}: ${failure.message}); the rest is made at the next import or look-up`,
          );
        end(failure === null ? EXIT.ok : EXIT.failed);
      } finally {
        await store.close();
      }
    });
}
