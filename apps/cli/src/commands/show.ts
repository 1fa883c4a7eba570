import { CasefileError } from '@casefile/contracts';
import type { Command } from 'commander';
import { addressesOf, httpAddress } from './options.js';
import { ConsoleClient } from '../client/console-client.js';
import type { CommandContext } from '../command-context.js';

interface Options {
  console?: string;
  last?: boolean;
  reasoning?: boolean;
  json?: boolean;
}

/** `casefile show CASE` */
export function addShow(program: Command, { terminal, end }: CommandContext): void {
  program
    .command('show')
    .description('show a case with everything that is stored about it')
    .argument('[case]', 'id of the case, or its beginning or end where only one case has it')
    .option('--last', 'the newest case')
    .option('--reasoning', 'print the full reasoning of models, not only the beginning')
    .option('--console <url>', 'address of the console', httpAddress)
    .option('--json', 'print the case as the console answers it')
    .action(async (caseId: string | undefined, options: Options, command: Command) => {
      if ((caseId === undefined) === (options.last !== true))
        command.error('error: expected either the id of a case, or --last');
      const client = new ConsoleClient(options.console ?? (await addressesOf()).console);
      const shown = await client.getCase(
        caseId === undefined ? await newest(client) : await client.wholeId(caseId),
      );
      const { caseLines } = await import('../output/case-lines.js');
      const forPeople = { colors: terminal.colors, reasoning: options.reasoning ?? false };
      for (const line of options.json ? [JSON.stringify(shown)] : caseLines(shown, forPeople))
        terminal.out(line);
      end(0);
    });
}

async function newest(client: ConsoleClient): Promise<string> {
  const [found] = (await client.listCases({ limit: '1' })).cases;
  if (found === undefined) throw new CasefileError('unknown_case', 'there is no case yet');
  return found.caseId;
}
