import type { Command } from 'commander';
import { addressesOf, httpAddress } from './options.js';
import { ConsoleClient } from '../client/console-client.js';
import type { CommandContext } from '../command-context.js';
import { oneLine } from '../output/escape.js';

/** `casefile providers try NAME` */
export function addProviders(program: Command, { terminal, end }: CommandContext): void {
  const providers = program.command('providers').description('model providers');
  providers
    .command('try')
    .description('try a provider now whose circuit is open')
    .argument('<name>', 'its name, as the pipeline page has it')
    .option('--console <url>', 'address of the console', httpAddress)
    .option('--json', 'print what the console answers')
    .action(async (name: string, options: { console?: string; json?: boolean }) => {
      const client = new ConsoleClient(options.console ?? (await addressesOf()).console);
      const tried = await client.tryProvider(name);
      if (options.json) terminal.out(JSON.stringify(tried));
      else if (tried.state === 'closed') terminal.out(`${oneLine(name)} is asked anyway: nothing to do.`);
      else terminal.out(`${oneLine(name)} is tried with the next call; runs that wait for it are woken.`);
      end(0);
    });
}
