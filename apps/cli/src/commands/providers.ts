import type { Command } from 'commander';
import { consoleOf, consoleOptions, print, type ConsoleOptions } from './options.js';
import type { CommandContext } from '../command-context.js';
import { oneLine } from '../output/escape.js';

/** `casefile providers try NAME` */
export function addProviders(program: Command, { terminal, end }: CommandContext): void {
  const providers = program.command('providers').description('model providers');
  const command = providers
    .command('try')
    .description('try a provider now whose circuit is open')
    .argument('<name>', 'its name, as the pipeline page has it');
  consoleOptions(command).action(async (provider: string, options: ConsoleOptions) => {
    const client = await consoleOf(options);
    const tried = await client.post('/providers/{provider}/try', { params: { provider } });
    const now =
      tried.state === 'closed'
        ? 'is asked anyway: nothing to do.'
        : 'is tried with the next call; runs that wait for it are woken.';
    print(terminal, options, tried, () => [`${oneLine(provider)} ${now}`]);
    end(0);
  });
}
