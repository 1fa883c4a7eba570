import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KIND_NAME, KIND_NAME_FORM } from '@casefile/kit/kind';
import { oneLine } from '@casefile/kit/output/escape';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { wrongOption } from './option-values.js';

/** Files of a kind with this name, which are copied under the new one. */
const TEMPLATE = {
  folder: fileURLToPath(new URL('../../template/kind/', import.meta.url)),
  name: 'kind-name',
};

/** Sources that a kind may query in addition to its rules. */
const PARTS: readonly string[] = ['model', 'tool', 'policy'];

/** `casefile new kind NAME` */
export function addNew(program: Command, { terminal, end }: CommandContext): void {
  program
    .command('new')
    .description('write the files of an addition of your own')
    .command('kind')
    .description('write a kind of case: a folder with rules, a decision, a test, an evaluation and a README')
    .argument('<name>', 'name of the kind: lower-case letters, digits and hyphens')
    .option('--folder <path>', 'new folder. Default: one with this name in the current folder')
    .option('--with <parts>', `what the kind asks, with commas between them: ${PARTS.join(', ')}`)
    .option('--json', 'print the folder and its files as JSON')
    .action(async (name: string, options: { folder?: string; with?: string; json?: boolean }) => {
      if (!KIND_NAME.test(name)) throw wrongOption('name', KIND_NAME_FORM);
      const parts = options.with?.split(',').map((part) => part.trim()) ?? [];
      const unknown = parts.find((part) => !PARTS.includes(part));
      if (unknown !== undefined)
        throw wrongOption(
          '--with',
          `expected ${PARTS.join(', ')} with commas between them, found ${unknown}`,
        );
      const folder = resolve(options.folder ?? name);
      if (!(await isFree(folder)))
        throw wrongOption('--folder', `expected a new or empty folder, not ${folder}`);
      const entries = await readdir(TEMPLATE.folder, { recursive: true, withFileTypes: true });
      const files: string[] = [];
      for (const entry of entries.filter((one) => one.isFile())) {
        const source = join(entry.parentPath, entry.name);
        const path = targetOf(relative(TEMPLATE.folder, source), parts);
        if (path === null) continue;
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), named(withParts(await readFile(source, 'utf8'), parts), name));
        files.push(path);
      }
      files.sort();
      if (options.json) terminal.out(JSON.stringify({ folder, files }));
      else terminal.out(oneLine(`wrote ${files.length} files to ${folder}; start with its README.md`));
      end(EXIT.ok);
    });
}

/** Returns the place of a file of the template in the new folder; null: it belongs to a part that is left out. */
function targetOf(path: string, parts: readonly string[]): string | null {
  const [, part, rest] = /^with[/\\]([^/\\]+)[/\\](.+)$/.exec(path) ?? [];
  if (part === undefined) return path;
  return parts.includes(part) ? rest! : null;
}

/**
 * Returns a text of the template with these parts: a line `//+tool,model TEXT` becomes TEXT if one of its parts
 * is chosen, and a line that ends in `//-tool` is left out then.
 */
function withParts(text: string, parts: readonly string[]): string {
  const isChosen = (list: string) => list.split(',').some((part) => parts.includes(part));
  const lines = text.split('\n').flatMap((line) => {
    const [, indent = '', added, rest = ''] = /^(\s*)\/\/\+([a-z,]+)(?: (.*))?$/.exec(line) ?? [];
    if (added !== undefined) return isChosen(added) ? [`${indent}${rest}`] : [];
    const [, kept = line, dropped = ''] = /^(.*?) ?\/\/-([a-z,]+)$/.exec(line) ?? [];
    return isChosen(dropped) ? [] : [kept];
  });
  return lines.join('\n');
}

/** Returns a text of the template with the name of the new kind, also as a part of names of variables and tools. */
function named(text: string, name: string): string {
  const constant = name.replaceAll('-', '_');
  return text
    .replaceAll('KIND_CONST', constant.toUpperCase())
    .replaceAll('kind_const', constant)
    .replaceAll(TEMPLATE.name, name);
}

async function isFree(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
