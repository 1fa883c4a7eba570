import { type AuditList } from '@casefile/contracts';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import { writeLines } from '../output/write-lines.js';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';
import { wrongOption } from './option-values.js';

const EXPORT_PAGE = 1_000;

/** `casefile audit export`: the whole log, a request per page */
export function addAuditExport(program: Command, { terminal, end }: CommandContext): void {
  const exporting = program
    .command('audit')
    .command('export')
    .description('write the whole log as JSON Lines, the oldest entry first')
    .option('--out <file>', 'new file for the lines; default: standard output');
  consoleOptions(exporting, 'with --out, print what was written as one JSON object').action(
    (options: ConsoleOptions & { out?: string }) => exportAll(options, { terminal, end }),
  );
}

/** Writes the log page by page. The head in the last line is compared by `verify --head`. */
async function exportAll(
  { out, ...options }: ConsoleOptions & { out?: string },
  { terminal, end }: Pick<CommandContext, 'terminal' | 'end'>,
): Promise<void> {
  if (out === undefined && options.json === true) throw wrongOption('--json', 'expected --out as well');
  const client = await connectConsole(options);
  let count = 0;
  await writeLines(out, terminal, async (write) => {
    let cursor: string | null = '';
    while (cursor !== null) {
      const query = { order: 'oldest', limit: EXPORT_PAGE, cursor } as const;
      const page: AuditList = await client.get('/audit', { query });
      for (const entry of page.entries) await write(JSON.stringify(entry));
      count += page.entries.length;
      cursor = page.nextCursor;
    }
  });
  if (out === undefined) terminal.err(`casefile: ${count} entries`);
  else print(terminal, options, { entries: count, file: out }, () => [oneLine(`${count} entries in ${out}`)]);
  end(EXIT.ok);
}
