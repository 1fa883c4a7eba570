import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { InvalidInput } from '@casefile/contracts';
import { oneLine } from '@casefile/kit/output/escape';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';

const KIND_NAME = /^[a-z][a-z0-9-]{0,62}$/;

/** `casefile new kind NAME` */
export function addNew(program: Command, { terminal, end }: CommandContext): void {
  program
    .command('new')
    .description('write the files of an addition of your own')
    .command('kind')
    .description('write a kind of case: a folder with rules, a decision, an evaluation and a README')
    .argument('<name>', 'name of the kind: lower-case letters, digits and hyphens')
    .option('--folder <path>', 'new folder. Default: one with this name in the current folder')
    .option('--json', 'print the folder and its files as JSON')
    .action(async (name: string, options: { folder?: string; json?: boolean }) => {
      if (!KIND_NAME.test(name)) throw wrong('name', 'expected lower-case letters, digits and hyphens');
      const folder = resolve(options.folder ?? name);
      if (((await readdir(folder).catch(() => [])) as string[]).length > 0)
        throw wrong('--folder', `expected a new or empty folder; ${folder} has files`);
      const { kindFiles } = await import('../new-kind/kind-files.js');
      const files = Object.entries(kindFiles(name));
      for (const [path, text] of files) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      }
      if (options.json) terminal.out(JSON.stringify({ folder, files: files.map(([path]) => path) }));
      else terminal.out(oneLine(`wrote ${files.length} files to ${folder}; start with its README.md`));
      end(EXIT.ok);
    });
}

function wrong(path: string, message: string): InvalidInput {
  return new InvalidInput([{ path, message }], 'command line');
}
