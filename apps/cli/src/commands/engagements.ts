import type { EngagementSession } from '@casefile/contracts';
import { Option, type Command } from 'commander';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';
import type { CommandContext } from '../command-context.js';
import { oneLine } from '@casefile/kit/output/escape';

interface EngagementOptions extends ConsoleOptions {
  state?: 'open' | 'closed';
  close?: string;
}

/** `casefile engagements` */
export function addEngagements(program: Command, { terminal, end }: CommandContext): void {
  const command = program
    .command('engagements')
    .description('list engagement sessions, or close one')
    .addOption(
      new Option('--state <state>', 'only open ones, or only closed ones').choices(['open', 'closed']),
    )
    .option('--close <id>', 'close the session of this id');
  consoleOptions(command).action(async ({ state, close, ...options }: EngagementOptions) => {
    const client = await connectConsole(options);
    const answer =
      close === undefined
        ? await client.get('/engagements', { query: { state } })
        : await client.post('/engagements/{engagementId}/close', { params: { engagementId: close } });
    const sessions = 'engagements' in answer ? answer.engagements : [answer];
    print(terminal, options, answer, () =>
      sessions.length === 0 ? ['There is no engagement session.'] : sessions.map(engagementSessionLine),
    );
    end(0);
  });
}

function engagementSessionLine({
  id,
  stage,
  action,
  category,
  messages,
  updatedAt,
  conversation,
}: EngagementSession): string {
  const count = messages === 1 ? '1 message' : `${messages} messages`;
  const facts = [stage, action, category ?? 'no category', count, updatedAt];
  return oneLine(
    [id, ...facts, ...(conversation === null ? [] : [`conversation ${conversation}`])].join('  '),
  );
}
