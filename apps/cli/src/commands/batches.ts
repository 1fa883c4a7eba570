import { BATCH_ACTS, type BatchAct } from '@casefile/contracts';
import { Argument, type Command } from 'commander';
import { BatchClient } from '../client/batch-client.js';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { batchLine, memberLines } from '../output/batch-lines.js';
import { addressesOf, httpAddress } from './options.js';
import { dollars } from './reprocess.js';

interface Options {
  budget?: number;
  console?: string;
  json?: boolean;
}

/** Flipped cases that are listed. */
const SHOWN = 100;

/** `casefile batches [show|pause|resume|apply|discard] [ID]` S4-62. */
export function addBatches(program: Command, { terminal, end }: CommandContext): void {
  program
    .command('batches')
    .description('list the batches of cases that were judged again, look at one, or do something about it')
    .addArgument(new Argument('[act]', 'what to do').choices(['show', ...BATCH_ACTS]))
    .argument('[batch]', 'id of the batch')
    .option('--budget <usd>', 'with resume: what it may cost in US dollars', dollars)
    .option('--console <url>', 'address of the console', httpAddress)
    .option('--json', 'print what the console answers')
    .action(
      async (
        act: 'show' | BatchAct | undefined,
        id: string | undefined,
        options: Options,
        command: Command,
      ) => {
        if ((act === undefined) !== (id === undefined))
          command.error('error: expected what to do and the id of a batch');
        const client = new BatchClient(options.console ?? (await addressesOf()).console);
        const print = (answer: unknown, lines: () => string[]) => {
          for (const line of options.json ? [JSON.stringify(answer)] : lines()) terminal.out(line);
        };
        if (act === undefined || id === undefined) {
          const list = await client.list();
          print(list, () =>
            list.batches.length === 0 ? ['There is no batch.'] : list.batches.map(batchLine),
          );
          const { count, providersOut } = list.degraded;
          if (count > 0 && providersOut.length === 0)
            terminal.err(
              `${count} verdicts of the last 24 h were degraded: casefile reprocess --degraded-since 24h`,
            );
        } else if (act === 'show') {
          const [batch, members] = [await client.get(id), await client.members(id, SHOWN)];
          print({ ...batch, members: members.members }, () => [batchLine(batch), ...memberLines(members)]);
        } else {
          const batch = await client.act(id, act, options.budget);
          print(batch, () => [batchLine(batch)]);
        }
        end(EXIT.ok);
      },
    );
}
