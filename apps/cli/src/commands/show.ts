import type { Command } from 'commander';
import { addressesOf } from '../client/addresses.js';
import { ConsoleClient } from '../client/console-client.js';
import type { CommandContext } from '../command-context.js';
import { caseLines } from '../output/case-lines.js';

/** `casefile show CASE` */
export function addShow(program: Command, { terminal, end }: CommandContext): void {
  program
    .command('show')
    .description('show a case with everything on its record')
    .argument('<case>', 'id of the case')
    .option('--console <url>', 'address of the console')
    .option('--json', 'print the case as the console answers it')
    .action(async (caseId: string, options: { console?: string; json?: boolean }) => {
      const shown = await new ConsoleClient(options.console ?? addressesOf().console).getCase(caseId);
      const lines = options.json ? [JSON.stringify(shown)] : caseLines(shown, terminal.colors);
      for (const line of lines) terminal.out(line);
      end(0);
    });
}
