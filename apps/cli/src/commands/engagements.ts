import type { EngagementSession } from '@casefile/contracts';
import { Option, type Command } from 'commander';
import { addressesOf, httpAddress } from './options.js';
import { ConsoleClient } from '../client/console-client.js';
import type { CommandContext } from '../command-context.js';
import { oneLine } from '../output/escape.js';

interface Options {
  state?: string;
  close?: string;
  console?: string;
  json?: boolean;
}

/** `casefile engagements` S3-46. */
export function addEngagements(program: Command, { terminal, end }: CommandContext): void {
  program
    .command('engagements')
    .description('list the sessions that verdicts opened, or close one')
    .addOption(
      new Option('--state <state>', 'only open ones, or only closed ones').choices(['open', 'closed']),
    )
    .option('--close <id>', 'close the session of this id')
    .option('--console <url>', 'address of the console', httpAddress)
    .option('--json', 'print what the console answers')
    .action(async ({ state, close, json, ...options }: Options) => {
      const client = new ConsoleClient(options.console ?? (await addressesOf()).console);
      const answer =
        close === undefined
          ? await client.listEngagements(state === undefined ? {} : { state })
          : await client.closeEngagement(close);
      const sessions = 'engagements' in answer ? answer.engagements : [answer];
      if (json) terminal.out(JSON.stringify(answer));
      else if (sessions.length === 0) terminal.out('There is no engagement session.');
      else for (const session of sessions) terminal.out(lineOf(session));
      end(0);
    });
}

function lineOf({
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
