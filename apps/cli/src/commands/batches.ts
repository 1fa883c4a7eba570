import { BATCH_ACTS, InvalidInput, type BatchAct, type BatchChoice } from '@casefile/contracts';
import { Argument, type Command } from 'commander';
import type { ConsoleClient } from '../client/console-client.js';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { batchLine, memberLines, previewLine } from '../output/batch-lines.js';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';
import { dollars } from './reprocess.js';

interface BatchOptions extends ConsoleOptions {
  budget?: number;
  only?: string[];
  except?: string[];
}

/** Maximum number of flipped cases in the output. */
const SHOWN = 100;

/** `casefile batches [show|preview|pause|resume|apply|discard] [ID]` */
export function addBatches(program: Command, { terminal, end }: CommandContext): void {
  const command = program
    .command('batches')
    .description(
      'list batches of cases that were judged again, show one, preview what applying it sends, or pause, resume, apply or discard it',
    )
    .addArgument(new Argument('[act]', 'action').choices(['show', 'preview', ...BATCH_ACTS]))
    .argument('[batch]', 'id of the batch')
    .option('--budget <usd>', 'with resume: new limit of the cost in US dollars', dollars)
    .option('--only <case...>', 'with preview and apply: only these cases')
    .option('--except <case...>', 'with preview and apply: all cases except these');
  consoleOptions(command).action(
    async (
      act: 'show' | 'preview' | BatchAct | undefined,
      batchId: string | undefined,
      options: BatchOptions,
    ) => {
      if ((act === undefined) !== (batchId === undefined))
        command.error('error: expected an action and the id of a batch');
      refuseOtherOptions(act, options);
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
      } else if (act === 'preview') {
        const preview = await client.post('/batches/{batchId}/preview', {
          params: { batchId },
          body: await choiceOf(client, options),
        });
        print(terminal, options, preview, () => [previewLine(preview)]);
      } else {
        const body = {
          ...(options.budget !== undefined && { budgetUsd: options.budget }),
          ...(act === 'apply' && { choice: await choiceOf(client, options) }),
        };
        const batch = await client.post('/batches/{batchId}/{act}', { params: { batchId, act }, body });
        print(terminal, options, batch, () => [batchLine(batch)]);
      }
      end(EXIT.ok);
    },
  );
}

/** @throws InvalidInput if an option does not belong to the action. */
function refuseOtherOptions(act: string | undefined, { only, except, budget }: BatchOptions): void {
  const wrong = (path: string, acts: string) =>
    new InvalidInput([{ path, message: `expected this option only with ${acts}` }], 'command line');
  const chooses = act === 'apply' || act === 'preview';
  if (only !== undefined && !chooses) throw wrong('--only', 'preview and apply');
  if (except !== undefined && !chooses) throw wrong('--except', 'preview and apply');
  if (budget !== undefined && act !== 'resume') throw wrong('--budget', 'resume');
}

/** @throws InvalidInput if both options are given. */
async function choiceOf(client: ConsoleClient, { only, except }: BatchOptions): Promise<BatchChoice> {
  if (only !== undefined && except !== undefined)
    throw new InvalidInput(
      [{ path: '--only', message: 'expected --only or --except, not both' }],
      'command line',
    );
  const wholeIds = (ids: string[]) => Promise.all(ids.map((id) => client.wholeId(id)));
  return {
    ...(only !== undefined && { caseIds: await wholeIds(only) }),
    ...(except !== undefined && { exceptCaseIds: await wholeIds(except) }),
  };
}
