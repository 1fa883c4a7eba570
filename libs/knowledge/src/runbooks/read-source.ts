import { basename, join, resolve } from 'node:path';
import {
  builtModule,
  CasefileError,
  unpackError,
  type BoundedRunner,
  type Clock,
  type Pages,
} from '@casefile/contracts';
import { filesIn, isFolder } from '../files.js';
import { ImportFile, importTask } from '../import-file.js';
import { fileOnDisk, wholeContent } from '../import-source.js';
import { normalisedUrl } from './match-runbook.js';
import type { RunbookFile } from './read-runbook.js';
import type { ReadRunbooksArgs, WrongRunbooks } from './read-runbooks-task.js';
import { MAX_RUNBOOK_TEXT, type RunbookInput } from './runbook-base.js';

/** Source of runbooks. URLs are configured by the operator and may be in-house. */
export type RunbookSource =
  /** A folder of Markdown files, or one file. `pages`: the URL at which people read its files. */
  | { folder: string; pages?: string }
  /** The files of an import. `origin` identifies their source. */
  | { files: readonly ImportFile[]; origin: string; pages?: string }
  /** One page. `name`: name of the runbook. Default: the last part of the URL. */
  | { url: string; name?: string; token?: string }
  /** The Markdown files of a repository below `path`, of one branch or tag. */
  | { git: string; ref?: string; path?: string; pages?: string; token?: string; username?: string };

export interface LookUpContext {
  signal: AbortSignal;
  clock: Clock;
}

/** Reads sources outside the system. */
export interface RunbookReader {
  /** Returns whether this URL may be read because an alert links to it. */
  mayRead(address: URL): boolean;
  /** Reads a page linked by an alert. @throws CasefileError of the request, as do both functions below. */
  pageOfAlert(address: URL, context: LookUpContext): Promise<Uint8Array>;
  /** Reads a page configured by the operator. */
  page(address: URL, token: string | null, context: LookUpContext): Promise<Uint8Array>;
  /** Reads files of a repository by the end of their names; null: its commit is still the known one. */
  repository(
    repository: { url: string; ref?: string; token?: string; username?: string },
    filter: { endings: readonly string[]; known: string | null; below?: string },
    context: LookUpContext,
  ): Promise<{ commit: string; files: { path: string; bytes: Uint8Array | null }[] } | null>;
}

/** A found file of a source. */
interface FoundFile extends Omit<RunbookFile, 'bytes'> {
  /** null: its reader left it out because it is too large. */
  file: ImportFile | null;
}

/** The files of a source, before any is read. */
export interface FoundSource {
  files: FoundFile[];
  commit: string | null;
}

/** Content of a source. */
export interface SourceContent {
  pages: Pages<RunbookInput[]>;
  /** Files without a valid runbook, and their errors. */
  wrong: { file: string; error: CasefileError }[];
}

const READ_RUNBOOKS = importTask<ReadRunbooksArgs, WrongRunbooks, RunbookInput[]>({
  module: builtModule('./read-runbooks-task.js', import.meta.url),
  load: () => import('./read-runbooks-task.js'),
});

/** Most bytes of one file: five times the longest runbook. */
const MOST_BYTES = 1_000_000;
const ENDINGS = ['.md', '.markdown'];

/** Recorded identifier of a source: equal for equal settings. */
export function sourceOrigin(source: RunbookSource): string {
  if ('folder' in source) return resolve(source.folder);
  if ('files' in source) return source.origin;
  if ('url' in source) return normalisedUrl(source.url)?.href ?? source.url;
  return `${source.git} ${source.ref ?? 'HEAD'} ${pathFolder(source.path)}`.trim();
}

/**
 * Finds the files of a source, and fetches those that are not on a disk. Returns null if nothing has changed
 * since the known commit. @throws CasefileError if the source itself cannot be read.
 */
export async function findFiles(
  source: RunbookSource,
  reader: Pick<RunbookReader, 'page' | 'repository'>,
  context: LookUpContext,
  knownCommit: string | null = null,
): Promise<FoundSource | null> {
  if ('files' in source) {
    const { files, pages } = source;
    const found = (file: ImportFile): FoundFile => {
      const { name, path } = file;
      return { name, source: path, address: pageAddress(pages, name), file };
    };
    return { files: files.map(found), commit: null };
  }
  if ('folder' in source) return { files: await filesOfFolder(source), commit: null };
  if ('url' in source) return { files: [await fetchPage(source, reader, context)], commit: null };
  const { git: url, ref, token, username } = source;
  const repository = { url, ref, token, username };
  const below = pathFolder(source.path);
  const checkout = await reader.repository(
    repository,
    { endings: ENDINGS, known: knownCommit, below },
    context,
  );
  if (checkout === null) return null;
  const { commit } = checkout;
  const files = checkout.files.map(({ path, bytes }): FoundFile => {
    const name = path.slice(below.length);
    const address = pageAddress(source.pages, name) ?? pageOnGitHub(url, ref, path);
    const file = bytes === null ? null : fileInMemory(name, bytes);
    return { name, source: address ?? `${url} ${path}`, address, commit, file };
  });
  if (files.length === 0)
    throw new CasefileError(
      'unreadable_file',
      `${sourceOrigin(source)} has no document in it (${ENDINGS.join(', ')})`,
    );
  return { files, commit };
}

/**
 * Reads the runbooks of found files in the bounded process; an invalid file affects only itself.
 * @param use receives the content, which exists until it has ended.
 * @throws CasefileError of the runner, and of `use`.
 */
export async function readFiles<T>(
  found: readonly FoundFile[],
  runner: BoundedRunner,
  signal: AbortSignal,
  use: (content: SourceContent) => Promise<T>,
): Promise<T> {
  const files: { index: number; file: ImportFile }[] = [];
  const wrong: { index: number; error: CasefileError }[] = [];
  for (const [index, { file }] of found.entries()) {
    const size = file === null ? null : await file.size();
    if (file === null || size === null || size > MOST_BYTES) wrong.push({ index, error: tooLarge(size) });
    else files.push({ index, file });
  }
  const reading = {
    runner,
    task: READ_RUNBOOKS,
    args: (sizes: readonly number[]) => ({
      files: files.map(({ index }, i) => {
        const { file: _file, ...names } = found[index]!;
        return { ...names, size: sizes[i] ?? 0 };
      }),
    }),
    context: { signal },
  };
  const source = ({ index, error }: (typeof wrong)[number]) => ({ file: found[index]?.source ?? '', error });
  if (files.length === 0) return use({ pages: [], wrong: wrong.map(source) });
  return ImportFile.readPaged(
    files.map(({ file }) => file),
    reading,
    (unread, pages) => {
      const more = unread.map(({ index, error }) => ({
        index: files[index]?.index ?? 0,
        error: unpackError(error),
      }));
      const all = [...wrong, ...more].sort((a, b) => a.index - b.index);
      return use({ pages, wrong: all.map(source) });
    },
  );
}

async function filesOfFolder({ folder, pages }: { folder: string; pages?: string }): Promise<FoundFile[]> {
  const isOne = !(await isFolder(folder));
  const names = isOne ? [basename(folder)] : await filesIn(folder, ENDINGS);
  return names.map((name) => {
    const path = isOne ? folder : join(folder, name);
    const file = new ImportFile(fileOnDisk(path, name));
    return { name, source: path, address: pageAddress(pages, name), file };
  });
}

function fileInMemory(name: string, bytes: Uint8Array): ImportFile {
  return new ImportFile({ name, path: name, content: wholeContent(() => bytes) });
}

async function fetchPage(
  { url, name, token }: { url: string; name?: string; token?: string },
  reader: Pick<RunbookReader, 'page'>,
  context: LookUpContext,
): Promise<FoundFile> {
  const address = normalisedUrl(url);
  if (address === null)
    throw new CasefileError('unreadable_file', `${url} is not a URL: expected http://... or https://...`);
  const bytes = await reader.page(address, token ?? null, context);
  const fileName = name === undefined ? nameOfPage(address) : `${name}.md`;
  return { name: fileName, source: url, address: url, file: fileInMemory(fileName, bytes) };
}

/** Last part of a URL, as a file name. */
export function nameOfPage({ pathname, hostname }: URL): string {
  const last =
    decodedPath(pathname)
      .split('/')
      .findLast((part) => part !== '') ?? hostname;
  return /\.\w{1,8}$/.test(last) ? last : `${last}.md`;
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** @param size null: its reader does not know it. */
function tooLarge(size: number | null): CasefileError {
  const has = size === null ? `more than ${MOST_BYTES}` : size;
  return new CasefileError(
    'too_large',
    `it has ${has} bytes, and at most ${MOST_BYTES} can be read: a runbook has at most ${MAX_RUNBOOK_TEXT} characters. Divide it into several`,
  );
}

function pageAddress(pages: string | undefined, name: string): string | null {
  if (pages === undefined) return null;
  const path = name.split(/[/\\]/).map(encodeURIComponent).join('/');
  return `${pages.endsWith('/') ? pages : `${pages}/`}${path}`;
}

function pageOnGitHub(git: string, ref: string | undefined, path: string): string | null {
  const url = new URL(git);
  if (url.host !== 'github.com') return null;
  const repository = url.pathname.endsWith('.git') ? url.pathname.slice(0, -'.git'.length) : url.pathname;
  return pageAddress(`https://github.com${repository}/blob/${ref ?? 'HEAD'}`, path);
}

/** Folder as a path prefix: `books/`; '' for all. */
function pathFolder(path = ''): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 ? '' : `${parts.join('/')}/`;
}
