import { CasefileError } from '@casefile/contracts';
import type { Command } from 'commander';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';
import type { ConsoleClient, ShownCase } from '../client/console-client.js';
import type { CommandContext } from '../command-context.js';

interface ShowOptions extends ConsoleOptions {
  last?: boolean;
  reasoning?: boolean;
  spans?: boolean;
}

/** `casefile show CASE` */
export function addShow(program: Command, { terminal, end }: CommandContext): void {
  const command = program
    .command('show')
    .description('show a case with everything that is stored about it')
    .argument('[case]', 'id of the case, or a unique prefix or suffix of it')
    .option('--last', 'the newest case')
    .option('--reasoning', 'print the full reasoning of models, not only the beginning')
    .option('--spans', 'print how the time of each run was spent, instead of the case');
  consoleOptions(command, 'print the case as the API returns it').action(
    async (caseId: string | undefined, options: ShowOptions) => {
      if ((caseId === undefined) === (options.last !== true))
        command.error('error: expected either the id of a case, or --last');
      const client = await connectConsole(options);
      const shownCase = await client.getCase(
        caseId === undefined ? await newest(client) : await client.wholeId(caseId),
      );
      if (options.spans === true) {
        await printSpans(client, shownCase, terminal, options);
        return end(0);
      }
      const { caseLines } = await import('../output/case-lines.js');
      const { KindParts } = await import('../kinds.js');
      const kinds = await KindParts.load();
      const forPeople = { colors: terminal.colors, reasoning: options.reasoning ?? false, kinds };
      print(terminal, options, shownCase, () => caseLines(shownCase, forPeople));
      end(0);
    },
  );
}

async function printSpans(
  client: ConsoleClient,
  shownCase: ShownCase,
  terminal: CommandContext['terminal'],
  options: ConsoleOptions,
): Promise<void> {
  const all = await Promise.all(
    shownCase.runs.map(({ id }) => client.get('/runs/{runId}/spans', { params: { runId: id } })),
  );
  const { spanLines } = await import('../output/span-lines.js');
  print(terminal, options, { runs: all }, () => all.flatMap((spans) => spanLines(spans, Date.now())));
}

async function newest(client: ConsoleClient): Promise<string> {
  const [newestCase] = (await client.get('/cases', { query: { limit: 1 } })).cases;
  if (newestCase === undefined) throw new CasefileError('unknown_case', 'there is no case yet');
  return newestCase.caseId;
}
