import type { Command } from 'commander';
import { ConsoleClient } from '../client/console-client.js';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '../output/escape.js';
import { addressesOf, httpAddress } from './options.js';

interface Options {
  console?: string;
  json?: boolean;
}

/** `casefile export iterations CASE DIR` */
export function addExport(program: Command, { terminal, end }: CommandContext): void {
  const exporting = program.command('export').description('write parts of the record to files');
  exporting
    .command('iterations')
    .description('write the rounds of a case and a summary, to a folder of its own')
    .argument('<case>', 'id of the case, or its beginning or end where only one case has it')
    .argument('<folder>', 'in which the folder of the case is made')
    .option('--console <url>', 'address of the console', httpAddress)
    .option('--json', 'print what was written as one JSON object')
    .action(async (caseId: string, folder: string, options: Options) => {
      const client = new ConsoleClient(options.console ?? (await addressesOf()).console);
      const shown = await client.getCase(await client.wholeId(caseId));
      // The kinds are loaded for this command alone.
      const { writeIterations } = await import('../output/iteration-folder.js');
      const { own, names } = await writeIterations(shown, folder);
      if (options.json) terminal.out(JSON.stringify({ folder: own, files: names }));
      else for (const line of [own, ...names.map((name) => `  ${name}`)]) terminal.out(oneLine(line));
      end(names.length > 0 ? EXIT.ok : EXIT.failed);
    });
}
