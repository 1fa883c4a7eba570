import { IMPORT_COMMANDS, type ImportCommand, type ImportOption, type JsonObject } from '@casefile/contracts';
import type * as Runtime from '@casefile/runtime';
import type { ImportSource } from '@casefile/runtime';
import { Option, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import { terminalProgress } from '../output/progress.js';
import type { Terminal } from '../output/terminal.js';
import { readInputBytes } from '@casefile/kit/files/read-input-file';
import { connectConsole, consoleOptions, type ConsoleOptions } from './options.js';

interface ImportCommandOptions extends ConsoleOptions {
  direct?: boolean;
  /** Further options, depending on the knowledge base. */
  [option: string]: unknown;
}

/** `casefile import <knowledge base> ...` */
export function addImports(program: Command, { terminal, end }: CommandContext): void {
  const imports = program.command('import').description('import the knowledge bases that tools query');
  for (const declared of IMPORT_COMMANDS) {
    const { name, description, argument, options, json } = declared;
    const command = imports
      .command(name)
      .description(description)
      .argument(...argument);
    for (const option of options) command.addOption(commandOption(option));
    command.option('--direct', 'import from this process, into the database of this environment');
    consoleOptions(command, json).action(
      async (path: string | undefined, importOptions: ImportCommandOptions) => {
        const done = await importFrom(declared, path, importOptions, terminal);
        end(done ? EXIT.ok : EXIT.failed);
      },
    );
  }
}

async function importFrom(
  command: ImportCommand,
  path: string | undefined,
  { json = false, direct = false, console, ...options }: ImportCommandOptions,
  terminal: Terminal,
): Promise<boolean> {
  // Loaded only by this command, so that other commands start fast.
  const runtime = await import('@casefile/runtime');
  const news = newsOn(terminal, json);
  const source =
    path === undefined
      ? runtime.NO_SOURCE
      : path === '-'
        ? standardInput(runtime)
        : await runtime.sourceOnDisk(path, command);
  if (!direct) {
    const { importThroughConsole } = await import('../import-through-console.js');
    const client = await connectConsole({ console });
    return importThroughConsole(command.name, source, options as JsonObject, { client, news });
  }
  const put = runtime.directImport(command.name, source, options);
  const { quietly } = await import('../quietly.js');
  const config = quietly(await runtime.loadConfig());
  terminal.err(oneLine(`casefile: importing from this process into ${runtime.databaseInWords(config)}`));
  return put({ config, news });
}

function standardInput({ wholeContent }: Pick<typeof Runtime, 'wholeContent'>): ImportSource {
  const content = wholeContent(() => readInputBytes('-'));
  return { name: '-', origin: '-', files: [{ name: '-', path: 'standard input', content }] };
}

function commandOption({ flags, description, choices }: ImportOption): Option {
  const option = new Option(flags, description);
  return choices === undefined ? option : option.choices(choices);
}

function newsOn(terminal: Terminal, json: boolean) {
  return {
    result: (line: string, object: object) => terminal.out(json ? JSON.stringify(object) : oneLine(line)),
    failure: (line: string, object: object) =>
      json ? terminal.out(JSON.stringify(object)) : terminal.err(oneLine(line)),
    note: (line: string) => terminal.err(oneLine(line)),
    progress: (what: string, total: number) => terminalProgress(terminal, what, total),
  };
}
