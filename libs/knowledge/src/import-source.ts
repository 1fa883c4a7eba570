import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { CasefileError, type ImportCommand } from '@casefile/contracts';
import { filesIn, isFolder, unreadable } from './files.js';

/** Content of a file. It is read in pieces, so that no process has to hold a large file. */
export interface FileContent {
  /** Exact number of bytes of all pieces. @throws CasefileError `unreadable_file`. */
  size(): Promise<number>;
  /** @throws CasefileError `unreadable_file`. */
  pieces(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** One file to import, on a disk, posted or fetched. */
export interface SourceFile {
  /** Path relative to the imported folder; for a single file, its name. */
  name: string;
  /** Path as shown in messages. */
  path: string;
  content: FileContent;
}

/** Files or URL to import. Importers read nothing else, so a posted import never reads the server's disk. */
export interface ImportSource<File = SourceFile> {
  /** The file, folder or URL, as the user named it; null: the command has none. */
  name: string | null;
  /** Identifies the source between imports. */
  origin: string | null;
  /** Empty for a URL. */
  files: readonly File[];
}

const PIECE_BYTES = 256 * 1024;

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
  if (!(await isFolder(path))) return { ...whole, files: [fileOnDisk(path)] };
  if (folder === undefined)
    throw new CasefileError('unreadable_file', `${path} cannot be read (EISDIR): expected a file`);
  const names = await filesIn(path, folder);
  return { ...whole, files: names.map((name) => fileOnDisk(join(path, name), name)) };
}

export function isAddress(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

/** @param name Default: the last part of the path. */
export function fileOnDisk(path: string, name: string = basename(path)): SourceFile {
  return { name, path, content: { size: () => sizeOf(path), pieces: () => piecesOf(path) } };
}

/** Returns content that is already in memory, or that one call reads as a whole. */
export function wholeContent(read: () => Uint8Array | Promise<Uint8Array>): FileContent {
  let bytes: Promise<Uint8Array> | null = null;
  const whole = () => (bytes ??= Promise.resolve(read()));
  return {
    size: async () => (await whole()).length,
    async *pieces() {
      yield await whole();
    },
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function* piecesOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw unreadable(path, error);
  }
}
