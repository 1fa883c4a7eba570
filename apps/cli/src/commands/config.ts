import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { print, type ConsoleOptions } from './options.js';

/** `casefile config` */
export function addConfig(program: Command, { terminal }: CommandContext): void {
  program
    .command('config')
    .description('show the settings in effect: defaults, your files, and the options of each kind of case')
    .option('--json', 'print them as one line of JSON')
    .action(async (options: Pick<ConsoleOptions, 'json'>) => {
      const [{ effectiveSettings, readConfig }, { stringify }] = await Promise.all([
        import('@casefile/runtime'),
        import('yaml'),
      ]);
      const settings = await effectiveSettings(readConfig());
      print(terminal, options, settings, () => stringify(settings).trimEnd().split('\n'));
    });
}
