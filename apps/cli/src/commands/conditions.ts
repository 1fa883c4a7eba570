import type { Command } from 'commander';
import type { QueueDepth } from '@casefile/contracts';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import { connectConsole } from './options.js';
import { conditionLines } from './status.js';
import { showReadings, watchedOptions, type WatchedOptions } from './watched.js';

/** `casefile conditions` and `casefile queues` */
export function addConditions(program: Command, context: CommandContext): void {
  const command = program
    .command('conditions')
    .description('list what is wrong with the installation, its effect and what to do')
    .option('--exit-code', 'exit with 1 if there is any condition');
  watchedOptions(command).action(async (options: WatchedOptions & { exitCode?: boolean }) => {
    const client = await connectConsole(options);
    await showReadings(context, options, async () => {
      const answer = await client.get('/conditions');
      const { conditions } = answer;
      const { colors } = context.terminal;
      const isBad = options.exitCode === true && conditions.length > 0;
      const lines =
        conditions.length === 0
          ? [colors.green('Nothing is wrong.')]
          : conditions.flatMap((one) => conditionLines(one, colors)).slice(1);
      return { answer, lines, exitCode: isBad ? EXIT.failed : EXIT.ok };
    });
  });
  const queues = program.command('queues').description('list the queues with their depth and oldest job');
  watchedOptions(queues).action(async (options: WatchedOptions) => {
    const client = await connectConsole(options);
    await showReadings(context, options, async () => {
      const answer = await client.get('/queues');
      const lines = answer.items.length === 0 ? ['No queues.'] : answer.items.map(queueLine);
      return { answer, lines, exitCode: EXIT.ok };
    });
  });
}

const NAME_WIDTH = 28;

function queueLine({ queue, waiting, active, delayed, failed, oldestMs }: QueueDepth): string {
  const oldest = oldestMs === null ? '' : `  oldest ${(oldestMs / 1_000).toFixed(1)} s`;
  const counts = `${waiting} waiting, ${active} active, ${delayed} delayed, ${failed} failed`;
  return `${oneLine(queue).padEnd(NAME_WIDTH)}  ${counts}${oldest}`;
}
