import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { diffLines } from '../output/diff-lines.js';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';

/** `casefile diff RUN RUN` */
export function addDiff(program: Command, { terminal, end }: CommandContext): void {
  const command = program
    .command('diff')
    .description('print the differences of two runs and the first step at which they differ')
    .argument('<a>', 'id of a run')
    .argument('<b>', 'id of another run of the same kind');
  consoleOptions(command, 'print the response of the API').action(
    async (a: string, b: string, options: ConsoleOptions) => {
      const diff = await (await connectConsole(options)).get('/runs/{a}/diff/{b}', { params: { a, b } });
      print(terminal, options, diff, () => diffLines(diff));
      end(EXIT.ok);
    },
  );
}
