import type { Command } from 'commander';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';
import type { CommandContext } from '../command-context.js';
import { oneLine } from '@casefile/kit/output/escape';

/** `casefile providers try NAME` */
export function addProviders(program: Command, { terminal, end }: CommandContext): void {
  const providers = program.command('providers').description('model providers');
  const command = providers
    .command('try')
    .description('try a provider whose circuit is open')
    .argument('<name>', 'name of the provider, as on the pipeline page');
  consoleOptions(command).action(async (provider: string, options: ConsoleOptions) => {
    const client = await connectConsole(options);
    const circuit = await client.post('/providers/{provider}/try', { params: { provider } });
    const now =
      circuit.state === 'closed'
        ? 'is available: nothing to do.'
        : 'will be tried with the next call; runs that wait for it are woken.';
    print(terminal, options, circuit, () => [`${oneLine(provider)} ${now}`]);
    end(0);
  });
}
