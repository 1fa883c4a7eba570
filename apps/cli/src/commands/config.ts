import type { SettingEntry } from '@casefile/contracts';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { oneLine } from '@casefile/kit/output/escape';
import { print, type ConsoleOptions } from './options.js';

/** `casefile config` */
export function addConfig(program: Command, { terminal }: CommandContext): void {
  program
    .command('config')
    .description('show the settings in effect: defaults, your files, and the options of each kind of case')
    .option('--json', 'print them as one line of JSON')
    .option(
      '--sources',
      'print each setting and environment variable with its source: default, file, environment',
    )
    .action(async (options: Pick<ConsoleOptions, 'json'> & { sources?: boolean }) => {
      const [{ configurationEntries, effectiveSettings, loadConfig }, { stringify }] = await Promise.all([
        import('@casefile/runtime'),
        import('yaml'),
      ]);
      if (options.sources === true) {
        const configuration = await configurationEntries(await loadConfig());
        print(terminal, options, { configuration, nextCursor: null }, () => configuration.map(entryLine));
        return;
      }
      const settings = await effectiveSettings(await loadConfig());
      print(terminal, options, settings, () => stringify(settings).trimEnd().split('\n'));
    });
}

function entryLine({ name, value, source, file }: SettingEntry): string {
  const valueText =
    value === null ? 'not set' : oneLine(typeof value === 'string' ? value : JSON.stringify(value));
  return `${name} = ${valueText}  (${file === null ? source : `file ${oneLine(file)}`})`;
}
