import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { print, type ConsoleOptions } from './options.js';

interface MigrateOptions extends Pick<ConsoleOptions, 'json'> {
  dryRun?: boolean;
}

/** `casefile migrate`, for installations whose services may not change tables */
export function addMigrate(program: Command, { terminal, end }: CommandContext): void {
  program
    .command('migrate')
    .description(
      'bring the tables of the database to this version, as the user of DATABASE_DIRECT_URL or DATABASE_URL',
    )
    .option('--dry-run', 'print the migrations that are missing, and change nothing')
    .option('--json', 'print them as one line of JSON')
    .action(async (options: MigrateOptions) => {
      const { loadConfig, migrateRecord } = await import('@casefile/runtime');
      const { missing, isDone } = await migrateRecord(await loadConfig(), options.dryRun === true);
      print(terminal, options, { migrations: missing, applied: isDone }, () =>
        missing.length === 0
          ? ['No migration is missing.']
          : [isDone ? 'Applied:' : 'Missing:', ...missing.map((name) => `  ${name}`)],
      );
      end(EXIT.ok);
    });
}
