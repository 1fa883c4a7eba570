import { readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { CasefileError, IMPORT_LIMITS, type ImportCommand } from '@casefile/contracts';
import { filesIn, isFolder, unreadable } from './files.js';

/** One file to import, on a disk or posted. */
export interface SourceFile {
  /** Path relative to the imported folder; for a single file, its name. */
  name: string;
  /** Path as shown in messages. */
  path: string;
  /** @throws CasefileError `unreadable_file`. */
  bytes(): Promise<Uint8Array>;
}

/** Files or URL to import. Importers read nothing else, so a posted import never reads the server's disk. */
export interface ImportSource {
  /** The file, folder or URL, as the user named it; null: the command has none. */
  name: string | null;
  /** Identifies the source between imports. */
  origin: string | null;
  /** Empty for a URL. */
  files: readonly SourceFile[];
}

const MOST_BYTES = IMPORT_LIMITS.fileBytes;

/** The source of a command without a file. */
export const NO_SOURCE: ImportSource = { name: null, origin: null, files: [] };

/**
 * Returns the source at a path of this machine, or at a URL if the command accepts URLs.
 * @throws CasefileError `unreadable_file` if there is nothing at the path.
 */
export async function sourceOnDisk(
  path: string,
  { folder, address }: Pick<ImportCommand, 'folder' | 'address'>,
): Promise<ImportSource> {
  if (address === true && isAddress(path)) return { name: path, origin: path, files: [] };
  const whole = { name: path, origin: resolve(path) };
  if (!(await isFolder(path))) return { ...whole, files: [fileAt(basename(path), path)] };
  if (folder === undefined)
    throw new CasefileError('unreadable_file', `${path} cannot be read (EISDIR): expected a file`);
  const names = await filesIn(path, folder);
  return { ...whole, files: names.map((name) => fileAt(name, join(path, name))) };
}

export function isAddress(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/** The text of the source's only file. @throws CasefileError `unreadable_file` with `expected` if there is no such file. */
export async function onlyText({ files }: ImportSource, expected: string): Promise<string> {
  const [file, ...others] = files;
  if (file === undefined || others.length > 0) throw new CasefileError('unreadable_file', expected);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.bytes());
  } catch (error) {
    if (error instanceof CasefileError) throw error;
    throw new CasefileError('unreadable_file', `${file.path} is not UTF-8 text`, { cause: error });
  }
}

function fileAt(name: string, path: string): SourceFile {
  return { name, path, bytes: () => readFileBytes(path) };
}

// The size is checked before the file is read.
async function readFileBytes(path: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size > MOST_BYTES)
      throw new CasefileError(
        'too_large',
        `${path} has ${size} bytes, and at most ${MOST_BYTES} can be imported`,
      );
    return await readFile(path);
  } catch (error) {
    throw error instanceof CasefileError ? error : unreadable(path, error);
  }
}
