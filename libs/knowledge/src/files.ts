import { readdir, stat } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { CasefileError } from '@casefile/contracts';

/** More is a wrong folder. */
const MOST_FILES = 10_000;
const LONGEST_ID = 100;

/**
 * Names of the files in a folder and in the folders in it, relative to it and in their order. Links to folders are not
 * followed, hidden files and those that end otherwise are left out. @param extensions in lower case, as in `.md`.
 * @throws CasefileError `unreadable_file` when there is none, `too_large` when there are more than 10,000.
 */
export async function filesIn(folder: string, extensions: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw unreadable(folder, error);
  });
  const names = entries
    .filter((entry) => entry.isFile() && extensions.includes(extname(entry.name).toLowerCase()))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => !name.split(/[/\\]/).some((part) => part.startsWith('.')))
    .sort();
  if (names.length === 0)
    throw new CasefileError('unreadable_file', `${folder} has no document in it (${extensions.join(', ')})`);
  if (names.length > MOST_FILES)
    throw new CasefileError(
      'too_large',
      `${folder} has ${names.length} documents, ${MOST_FILES} at most can be imported at once`,
    );
  return names;
}

/** @throws CasefileError `unreadable_file` when there is nothing at this path. */
export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** That a file or folder cannot be read, with the reason of the operating system. */
export function unreadable(path: string, error: unknown): CasefileError {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
  return new CasefileError('unreadable_file', `${path} cannot be read (${code})`, { cause: error });
}

/** The id of what a file holds, by its name without its ending: letters, digits and dashes; '' when it has none of them. */
export function idOfFile(name: string): string {
  return name
    .slice(0, name.length - extname(name).length)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, LONGEST_ID);
}
