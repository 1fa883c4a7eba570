import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '../output/escape.js';
import { consoleOf, consoleOptions, print, type ConsoleOptions } from './options.js';

/** `casefile export iterations CASE DIR` */
export function addExport(program: Command, { terminal, end }: CommandContext): void {
  const exporting = program.command('export').description('write parts of the record to files');
  const command = exporting
    .command('iterations')
    .description('write the rounds of a case and a summary, to a folder of its own')
    .argument('<case>', 'id of the case, or its beginning or end where only one case has it')
    .argument('<folder>', 'in which the folder of the case is made');
  consoleOptions(command, 'print what was written as one JSON object').action(
    async (caseId: string, folder: string, options: ConsoleOptions) => {
      const client = await consoleOf(options);
      const shown = await client.getCase(await client.wholeId(caseId));
      // The kinds are loaded only by this command.
      const { writeIterations } = await import('../output/iteration-folder.js');
      const { own, names } = await writeIterations(shown, folder);
      print(terminal, options, { folder: own, files: names }, () =>
        [own, ...names.map((name) => `  ${name}`)].map(oneLine),
      );
      end(names.length > 0 ? EXIT.ok : EXIT.failed);
    },
  );
}
