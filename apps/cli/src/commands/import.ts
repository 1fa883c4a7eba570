import { basename } from 'node:path';
import { POLICY_FORMATS } from '@casefile/contracts';
import { Option, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '../output/escape.js';
import { progressOf } from '../output/progress.js';
import type { Terminal } from '../output/terminal.js';
import { readInputFile } from '../read-input-file.js';

/** How `casefile import <name>` is written; how it is done stands with the knowledge base of that name. */
interface ImportCommand {
  name: string;
  description: string;
  argument: [syntax: string, description: string];
  options: Option[];
  json: string;
}

const IMPORTS: readonly ImportCommand[] = [
  {
    name: 'scam-reports',
    description: 'import reports into the scam database: all of a file, or nothing when a line is wrong',
    argument: ['<file>', 'CSV with a header line, or a JSON array; - for standard input'],
    options: [],
    json: 'print the counts as JSON',
  },
  {
    name: 'scam-patterns',
    description: 'import known scam patterns: all of a file, or nothing when a line is wrong',
    argument: ['[file]', 'JSON array, or CSV with a header line; - for standard input'],
    options: [
      new Option('--case <id>', 'in place of a file: the message of a case whose verdict you confirm'),
      new Option('--scam-type <name>', 'of that case, for example authority_impersonation'),
      new Option('--title <text>', 'of that case; else the beginning of its message'),
      new Option('--embed-again', 'make the vectors of all patterns again'),
    ],
    json: 'print the counts as JSON',
  },
  {
    name: 'policy',
    description:
      'import policy documents: each as a whole or not at all; run again, it continues after the last one',
    argument: ['<path>', 'a file, or a folder of files: Markdown, HTML, plain text, PDF'],
    options: [
      new Option('--id <id>', 'id of the policy; without it, the name of the file'),
      new Option('--title <title>', 'title; without it, what the document says'),
      new Option(
        '--language <code>',
        'language (BCP 47: en, de, hi); without it, what the document and its words say',
      ),
      new Option(
        '--confidential <sections...>',
        'sections whose words stay on the record: titles, numbers (16.1) or ids, or all; besides those that the document marks',
      ),
      new Option('--format <format>', 'format; without it, what the name says').choices(POLICY_FORMATS),
      new Option(
        '--summaries <by>',
        'who writes summaries of the sections; without it, the model when one is configured',
      ).choices(['model', 'extract']),
    ],
    json: 'print one JSON object a document',
  },
];

/** `casefile import <knowledge base> ...` */
export function addImports(program: Command, { terminal, end }: CommandContext): void {
  const imports = program.command('import').description('import what tools look things up in');
  for (const { name, description, argument, options, json } of IMPORTS) {
    const command = imports
      .command(name)
      .description(description)
      .argument(...argument);
    for (const option of options) command.addOption(option);
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

function newsOn(terminal: Terminal, json: boolean) {
  return {
    result: (line: string, object: object) => terminal.out(json ? JSON.stringify(object) : oneLine(line)),
    failure: (line: string, object: object) =>
      json ? terminal.out(JSON.stringify(object)) : terminal.err(oneLine(line)),
    note: (line: string) => terminal.err(oneLine(line)),
    progress: (what: string, total: number) => progressOf(terminal, what, total),
  };
}
