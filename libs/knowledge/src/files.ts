import { readdir, stat } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { CasefileError } from '@casefile/contracts';

/** Maximum number of files. A folder with more is probably the wrong one. */
const MOST_FILES = 10_000;
const LONGEST_ID = 100;

/**
 * Returns the names of the files in a folder and its subfolders, relative to the folder and sorted. Links to
 * folders are not followed. Hidden files and files with another extension are left out.
 * @param extensions in lower case, for example `.md`.
 * @throws CasefileError `unreadable_file` if there is none, `too_large` if there are more than 10,000.
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

/** @throws CasefileError `unreadable_file` if there is nothing at this path. */
export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Error for a file or folder that cannot be read, with the reason of the operating system. */
export function unreadable(path: string, error: unknown): CasefileError {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
  return new CasefileError('unreadable_file', `${path} cannot be read (${code})`, { cause: error });
}

/**
 * Id derived from a file's name without its extension: letters, digits and dashes; '' if the name has none of
 * them.
 */
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
