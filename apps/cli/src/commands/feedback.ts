import { userInfo } from 'node:os';
import { CasefileError, type Feedback, type GiveFeedback } from '@casefile/contracts';
import type { Command } from 'commander';
import type { ConsoleClient } from '../client/console-client.js';
import type { CommandContext } from '../command-context.js';
import { outcomeFrom } from './outcome-from.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';
import { wrongOption } from './option-values.js';

interface FeedbackOptions extends ConsoleOptions {
  agree?: boolean;
  outcome?: string[];
  withdraw?: boolean;
  by?: string;
  note?: string;
  override?: true;
}

/** `casefile feedback CASE --agree` */
export function addFeedback(program: Command, { terminal, end }: CommandContext): void {
  const command = program
    .command('feedback')
    .description('give feedback on the verdict of a case, or list the feedback')
    .argument('<case>', 'id of the case, or a unique prefix or suffix of it')
    .option('--agree', 'the verdict is right')
    .option('--outcome <field=value...>', 'correct value of a deciding field')
    .option('--withdraw', 'withdraw the last feedback of --by')
    .option('--by <name>', 'name of the reviewer. Default: the user of this machine')
    .option('--note <text>', 'why')
    .option('--override', 'accept an answer that contradicts the record of the run');
  consoleOptions(command, 'print the response of the API').action(
    async (part: string, options: FeedbackOptions) => {
      const client = await connectConsole(options);
      const params = { caseId: await client.wholeId(part) };
      await change(client, params, options);
      const answer = await client.get('/cases/{caseId}/feedback', { params });
      print(terminal, options, answer, () => feedbackLines(answer.feedback));
      end(EXIT.ok);
    },
  );
}

async function change(
  client: ConsoleClient,
  params: { caseId: string },
  options: FeedbackOptions,
): Promise<void> {
  const isLabel = options.agree === true || options.outcome !== undefined;
  if (options.withdraw !== true) {
    if (isLabel)
      await client.post('/cases/{caseId}/feedback', { params, body: feedbackFromOptions(options) });
    return;
  }
  if (isLabel) throw wrongOption('--withdraw', 'expected one of --agree, --outcome and --withdraw');
  const by = options.by ?? userInfo().username;
  const { feedback } = await client.get('/cases/{caseId}/feedback', { params });
  const last = feedback.find((label) => label.by === by);
  if (last === undefined) throw new CasefileError('not_found', `${by} has given no feedback on this case`);
  const path = '/cases/{caseId}/feedback/{feedbackId}/withdraw';
  await client.post(path, { params: { ...params, feedbackId: last.id } });
}

function feedbackFromOptions({
  agree,
  outcome,
  by = userInfo().username,
  note,
  override,
}: FeedbackOptions): GiveFeedback {
  const about = { by, ...(note !== undefined && { note }), ...(override && { override }) };
  if (outcome === undefined) return { agree: true, ...about };
  if (agree) throw wrongOption('--outcome', 'expected either --agree or --outcome');
  return { outcome: outcomeFrom(outcome), ...about };
}

function feedbackLines(feedback: Feedback[]): string[] {
  if (feedback.length === 0) return ['No feedback on this verdict.'];
  return feedback.map(({ at, by, agrees, outcome, note }) => {
    const should = Object.entries(outcome).map(([name, value]) => `${name}=${String(value)}`);
    const statement = agrees ? 'agrees' : `says ${should.join(' ')}`;
    return oneLine(`${at}  ${by} ${statement}${note === null ? '' : `: ${note}`}`);
  });
}
