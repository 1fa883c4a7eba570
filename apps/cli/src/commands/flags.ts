import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { ShownFlag } from '@casefile/contracts';
import { InvalidArgumentError, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';

interface FlagOptions extends ConsoleOptions {
  by: string;
  reason: string;
}

const VARIANTS = ['on', 'off'] as const;
type Variant = (typeof VARIANTS)[number];

/** `casefile flags list|set`: switches of experiments. */
export function addFlags(program: Command, { terminal, end }: CommandContext): void {
  const flags = program.command('flags').description('switches of experiments, which apply to new runs');
  const list = flags.command('list').description('list the flags, with who changed each and why');
  consoleOptions(list).action(async (options: ConsoleOptions) => {
    const answer = await (await connectConsole(options)).get('/flags');
    const none = 'No flags: no experiment was started yet.';
    print(terminal, options, answer, () => (answer.flags.length === 0 ? [none] : answer.flags.map(flagLine)));
    end(EXIT.ok);
  });
  const set = flags
    .command('set')
    .description('switch the new arm of an experiment on or off')
    .requiredOption('--reason <text>', 'why')
    .option('--by <name>', 'who acts', userInfo().username)
    .argument('<name>', 'name of the flag')
    .argument('<variant>', VARIANTS.join(' or '), variantNamed);
  consoleOptions(set).action(
    async (name: string, variant: Variant, { by, reason, ...options }: FlagOptions) => {
      const body = { variant, by, reason, actId: randomUUID() };
      const answer = await (await connectConsole(options)).post('/flags/{name}', { params: { name }, body });
      print(terminal, options, answer, () => [flagLine(answer)]);
      end(EXIT.ok);
    },
  );
}

function variantNamed(text: string): Variant {
  const match = VARIANTS.find((variant) => variant === text);
  if (match !== undefined) return match;
  throw new InvalidArgumentError(`Expected ${VARIANTS.join(' or ')}.`);
}

/** A flag in one line: its variant, and who set it and why. */
export function flagLine({ name, variant, latched, by, reason, changedAt }: ShownFlag): string {
  const state = latched ? `${variant} (stepped back: reset it)` : variant;
  return oneLine(`${name} ${state} ${changedAt} ${by}: ${reason}`);
}
