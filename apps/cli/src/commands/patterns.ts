import { userInfo } from 'node:os';
import { PROPOSAL_STATES, type PatternProposal, type ProposalState } from '@casefile/contracts';
import { Option, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';

interface ListOptions extends ConsoleOptions {
  state: ProposalState;
}

const MOST_LISTED = 200;

/** `casefile patterns list|approve|reject`: patterns that confirmed cases propose. */
export function addPatterns(program: Command, { terminal, end }: CommandContext): void {
  const patterns = program
    .command('patterns')
    .description('patterns of messages that confirmed cases propose');
  const state = new Option('--state <state>', 'state of the proposals')
    .choices(PROPOSAL_STATES)
    .default('proposed');
  const list = patterns.command('list').description('list the proposals, the oldest first').addOption(state);
  consoleOptions(list).action(async (options: ListOptions) => {
    const query = { state: options.state, limit: MOST_LISTED };
    const answer = await (await connectConsole(options)).get('/pattern-proposals', { query });
    const none = [`No pattern is ${options.state}.`];
    print(terminal, options, answer, () =>
      answer.proposals.length === 0 ? none : answer.proposals.map(proposalLine),
    );
    end(EXIT.ok);
  });
  for (const [name, decided] of [
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ] as const) {
    const command = patterns
      .command(name)
      .description(`${name} the pattern that a case proposes`)
      .option('--by <name>', 'who acts', userInfo().username)
      .argument('<case>', 'id of the case, or a unique prefix or suffix of it');
    consoleOptions(command).action(
      async (part: string, { by, ...options }: ConsoleOptions & { by: string }) => {
        const client = await connectConsole(options);
        const params = { id: await client.wholeId(part) };
        const answer = await client.post('/pattern-proposals/{id}/state', {
          params,
          body: { state: decided, by },
        });
        print(terminal, options, answer, () => [proposalLine(answer)]);
        end(EXIT.ok);
      },
    );
  }
}

function proposalLine({ id, state, pattern, by, event, ownProposal }: PatternProposal): string {
  const origin = `${event ?? (ownProposal ? 'agreed' : 'answered')} by ${by}`;
  return oneLine(`${id} ${state}, ${origin}: ${pattern.category}: ${pattern.title}`);
}
