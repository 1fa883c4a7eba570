import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { batchLine, memberLines } from '../output/batch-lines.js';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';

/** Maximum number of flipped cases in the output. */
const SHOWN = 100;

/** `casefile batches show ID`: a batch with its cases, which are two requests */
export function addBatches(program: Command, { terminal, end }: CommandContext): void {
  const command = program
    .command('batches')
    .command('show')
    .description('show a batch with its flipped cases and those without a verdict')
    .argument('<batch>', 'id of the batch');
  consoleOptions(command).action(async (batchId: string, options: ConsoleOptions) => {
    const client = await connectConsole(options);
    const params = { batchId };
    const batch = await client.get('/batches/{batchId}', { params });
    const members = await client.get('/batches/{batchId}/members', { params, query: { limit: SHOWN } });
    print(terminal, options, { ...batch, members: members.members }, () => [
      batchLine(batch),
      ...memberLines(members),
    ]);
    end(EXIT.ok);
  });
}
