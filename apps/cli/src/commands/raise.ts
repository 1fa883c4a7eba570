import { userInfo } from 'node:os';
import { InvalidInput, MICROS, type RaiseBudget } from '@casefile/contracts';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';

interface RaiseOptions extends ConsoleOptions {
  usd?: string;
  tokens?: string;
  by?: string;
}

/** `casefile raise CASE --usd 0.5` */
export function addRaise(program: Command, { terminal, end }: CommandContext): void {
  const command = program
    .command('raise')
    .description('raise the budget that a run waits for, and continue the run')
    .argument('<case>', 'id of the case, or a unique prefix or suffix of it')
    .option('--usd <amount>', 'amount to add, in US dollars')
    .option('--tokens <count>', 'number of tokens to add')
    .option('--by <name>', 'name for the event log. Default: the user of this machine');
  consoleOptions(command, 'print the response of the API').action(
    async (part: string, options: RaiseOptions) => {
      const body = { ...raiseOptionAmount(options), by: options.by ?? userInfo().username };
      const client = await connectConsole(options);
      const params = { caseId: await client.wholeId(part) };
      const raised = await client.post('/cases/{caseId}/budget', { params, body });
      const { key, limit, spent } = raised;
      const inWords = (amount: number) => (key.endsWith(':usd') ? `$${amount / MICROS}` : `${amount} tokens`);
      print(terminal, options, raised, () => [
        `raised: ${key}: ${inWords(spent)} of ${inWords(limit)} spent; the run continues`,
      ]);
      end(EXIT.ok);
    },
  );
}

function raiseOptionAmount({ usd, tokens }: RaiseOptions): Pick<RaiseBudget, 'usd' | 'tokens'> {
  if ((usd === undefined) === (tokens === undefined))
    throw wrong('--usd', 'expected either --usd or --tokens');
  const [name, value] =
    usd === undefined ? (['tokens', Number(tokens)] as const) : (['usd', Number(usd)] as const);
  if (!(value > 0)) throw wrong(`--${name}`, 'expected a number above 0');
  return { [name]: value };
}

function wrong(path: string, message: string): InvalidInput {
  return new InvalidInput([{ path, message }], 'command line');
}
