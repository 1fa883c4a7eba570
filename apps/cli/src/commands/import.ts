import { basename } from 'node:path';
import { IMPORT_COMMANDS, type ImportOption } from '@casefile/contracts';
import { Option, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '../output/escape.js';
import { progressOf } from '../output/progress.js';
import type { Terminal } from '../output/terminal.js';
import { readInputFile } from '../read-input-file.js';

/** `casefile import <knowledge base> ...` */
export function addImports(program: Command, { terminal, end }: CommandContext): void {
  const imports = program.command('import').description('import what tools look things up in');
  for (const { name, description, argument, options, json } of IMPORT_COMMANDS) {
    const command = imports
      .command(name)
      .description(description)
      .argument(...argument);
    for (const option of options) command.addOption(optionOf(option));
    command
      .option('--json', json)
      .action(async (path: string | undefined, given: Record<string, unknown>) => {
        // Loaded for this command alone: the others start at once.
        const { importKnowledge, readConfig } = await import('@casefile/runtime');
        const { quietly } = await import('../quietly.js');
        const done = await importKnowledge(name, path, given, {
          readText: async (file) => ({ name: basename(file), text: await readInputFile(file) }),
          config: () => quietly(readConfig()),
          news: newsOn(terminal, given['json'] === true),
        });
        end(done ? EXIT.ok : EXIT.failed);
      });
  }
}

function optionOf({ flags, description, choices }: ImportOption): Option {
  const option = new Option(flags, description);
  return choices === undefined ? option : option.choices(choices);
}

function newsOn(terminal: Terminal, json: boolean) {
  return {
    result: (line: string, object: object) => terminal.out(json ? JSON.stringify(object) : oneLine(line)),
    failure: (line: string, object: object) =>
      json ? terminal.out(JSON.stringify(object)) : terminal.err(oneLine(line)),
    note: (line: string) => terminal.err(oneLine(line)),
    progress: (what: string, total: number) => progressOf(terminal, what, total),
  };
}
