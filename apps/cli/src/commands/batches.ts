import { BATCH_ACTS, type BatchAct } from '@casefile/contracts';
import { Argument, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { batchLine, memberLines } from '../output/batch-lines.js';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';
import { dollars } from './reprocess.js';

interface BatchOptions extends ConsoleOptions {
  budget?: number;
}

/** Maximum number of flipped cases in the output. */
const SHOWN = 100;

/** `casefile batches [show|pause|resume|apply|discard] [ID]` */
export function addBatches(program: Command, { terminal, end }: CommandContext): void {
  const command = program
    .command('batches')
    .description(
      'list batches of cases that were judged again, show one, or pause, resume, apply or discard it',
    )
    .addArgument(new Argument('[act]', 'action').choices(['show', ...BATCH_ACTS]))
    .argument('[batch]', 'id of the batch')
    .option('--budget <usd>', 'with resume: new limit of the cost in US dollars', dollars);
  consoleOptions(command).action(
    async (act: 'show' | BatchAct | undefined, batchId: string | undefined, options: BatchOptions) => {
      if ((act === undefined) !== (batchId === undefined))
        command.error('error: expected an action and the id of a batch');
      const client = await connectConsole(options);
      if (act === undefined || batchId === undefined) {
        const list = await client.get('/batches');
        print(terminal, options, list, () =>
          list.batches.length === 0 ? ['There is no batch.'] : list.batches.map(batchLine),
        );
        const { count, providersOut } = list.degraded;
        if (count > 0 && providersOut.length === 0)
          terminal.err(
            `${count} verdicts of the last 24 h were degraded: casefile reprocess --degraded-since 24h`,
          );
      } else if (act === 'show') {
        const params = { batchId };
        const batch = await client.get('/batches/{batchId}', { params });
        const members = await client.get('/batches/{batchId}/members', { params, query: { limit: SHOWN } });
        print(terminal, options, { ...batch, members: members.members }, () => [
          batchLine(batch),
          ...memberLines(members),
        ]);
      } else {
        const body = options.budget === undefined ? {} : { budgetUsd: options.budget };
        const batch = await client.post('/batches/{batchId}/{act}', { params: { batchId, act }, body });
        print(terminal, options, batch, () => [batchLine(batch)]);
      }
      end(EXIT.ok);
    },
  );
}
