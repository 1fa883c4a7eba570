import type { Command } from 'commander';
import { RerunClient } from '../client/rerun-client.js';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { diffLines } from '../output/diff-lines.js';
import { addressesOf, httpAddress } from './options.js';

interface Options {
  console?: string;
  json?: boolean;
}

/** `casefile diff RUN RUN` */
export function addDiff(program: Command, { terminal, end }: CommandContext): void {
  program
    .command('diff')
    .description('print in what two runs differ, and where they parted first')
    .argument('<a>', 'id of a run')
    .argument('<b>', 'id of another run of the same kind')
    .option('--console <url>', 'address of the console', httpAddress)
    .option('--json', 'print it as the console answers it')
    .action(async (a: string, b: string, options: Options) => {
      const client = new RerunClient(options.console ?? (await addressesOf()).console);
      const diff = await client.diff(a, b);
      for (const line of options.json ? [JSON.stringify(diff)] : diffLines(diff)) terminal.out(line);
      end(EXIT.ok);
    });
}
