import { userInfo } from 'node:os';
import { type ShownCase, type SignalRecord } from '@casefile/contracts';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';
import { wrongOption } from './option-values.js';

interface SignalOptions extends ConsoleOptions {
  by?: string;
}

/** `casefile signal CASE [NAME OPTION]` */
export function addSignal(program: Command, { terminal, end }: CommandContext): void {
  const command = program
    .command('signal')
    .description('answer the question that a run waits for, or list the questions of a case')
    .argument('<case>', 'id of the case, or a unique prefix or suffix of it')
    .argument('[name]', 'name of the question, as in the list')
    .argument('[option]', 'the value of one of its options')
    .option('--by <name>', 'who answers. Default: the user of this machine');
  consoleOptions(command, 'print the response of the API').action(
    async (part: string, name: string | undefined, option: string | undefined, options: SignalOptions) => {
      if (name !== undefined && option === undefined)
        throw wrongOption('option', `expected an option of ${name}`);
      const client = await connectConsole(options);
      const caseId = await client.wholeId(part);
      if (name !== undefined && option !== undefined) {
        const by = options.by ?? userInfo().username;
        const params = { caseId, name };
        const answer = await client.post('/cases/{caseId}/signals/{name}', { params, body: { option, by } });
        const again = answer.repeated ? ' (given earlier)' : '';
        print(terminal, options, answer, () => [oneLine(`given: ${name} ${option}${again}`)]);
        return end(EXIT.ok);
      }
      const questions = caseQuestions(await client.getCase(caseId));
      print(terminal, options, { signals: questions }, () =>
        questions.length === 0 ? ['No run of this case asked a question.'] : questions.flatMap(signalLines),
      );
      end(EXIT.ok);
    },
  );
}

const caseQuestions = ({ runs }: ShownCase): SignalRecord[] => runs.flatMap(({ signals = [] }) => signals);

function signalLines({ name, question, options, value, by, fallback, until }: SignalRecord): string[] {
  const state = value === null ? `open until ${until}, then ${fallback}` : `${by ?? '?'} chose ${value}`;
  return [
    oneLine(`${name}: ${question} (${state})`),
    ...options.map((option) => `  ${oneLine(`${option.value}: ${option.label}`)}`),
  ];
}
