import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvalidInput } from '@casefile/contracts';
import { KIND_NAME, KIND_NAME_FORM } from '@casefile/kit/kind';
import { oneLine } from '@casefile/kit/output/escape';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';

/** Files of a kind with this name, which are copied under the new one. */
const TEMPLATE = {
  folder: fileURLToPath(new URL('../../template/kind/', import.meta.url)),
  name: 'kind-name',
};

/** `casefile new kind NAME` */
export function addNew(program: Command, { terminal, end }: CommandContext): void {
  program
    .command('new')
    .description('write the files of an addition of your own')
    .command('kind')
    .description('write a kind of case: a folder with rules, a decision, a test, an evaluation and a README')
    .argument('<name>', 'name of the kind: lower-case letters, digits and hyphens')
    .option('--folder <path>', 'new folder. Default: one with this name in the current folder')
    .option('--json', 'print the folder and its files as JSON')
    .action(async (name: string, options: { folder?: string; json?: boolean }) => {
      if (!KIND_NAME.test(name)) throw wrong('name', KIND_NAME_FORM);
      const folder = resolve(options.folder ?? name);
      if (!(await isFree(folder))) throw wrong('--folder', `expected a new or empty folder, not ${folder}`);
      const entries = await readdir(TEMPLATE.folder, { recursive: true, withFileTypes: true });
      const files = entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(TEMPLATE.folder, join(entry.parentPath, entry.name)))
        .sort();
      for (const path of files) {
        const text = await readFile(join(TEMPLATE.folder, path), 'utf8');
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text.replaceAll(TEMPLATE.name, name));
      }
      if (options.json) terminal.out(JSON.stringify({ folder, files }));
      else terminal.out(oneLine(`wrote ${files.length} files to ${folder}; start with its README.md`));
      end(EXIT.ok);
    });
}

async function isFree(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

function wrong(path: string, message: string): InvalidInput {
  return new InvalidInput([{ path, message }], 'command line');
}
