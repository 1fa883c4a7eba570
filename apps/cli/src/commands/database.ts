import { InvalidArgumentError, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { print } from './options.js';

const NAME = /^[a-z_][a-z0-9_]{0,30}$/;

function sqlName(value: string): string {
  if (!NAME.test(value)) throw new InvalidArgumentError('expected 1 to 31 of a-z, 0-9 and _');
  return value;
}

/** `casefile database roles` */
export function addDatabase(program: Command, { terminal, end }: CommandContext): void {
  const database = program.command('database').description('the database of an installation');
  database
    .command('roles')
    .description(
      'print SQL that makes a role for the owner of the tables and one for each service, with the rights it needs',
    )
    .option('--prefix <name>', 'prefix of the names of the roles', sqlName, 'casefile')
    .option('--schema <name>', 'schema with the tables', sqlName, 'public')
    .option('--json', 'print it as a field of one line of JSON')
    .action(async (options: { prefix: string; schema: string; json?: boolean }) => {
      const { rolesScript } = await import('@casefile/runtime');
      const sql = rolesScript(options);
      print(terminal, options, { sql }, () => sql.trimEnd().split('\n'));
      end(EXIT.ok);
    });
}
