import { readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { asCasefileError, CasefileError, InvalidInput, type Clock } from '@casefile/contracts';
import type { SourceFile } from '../import-source.js';
import { filesIn, isFolder, unreadable } from '../files.js';
import { normalisedUrl } from './match-runbook.js';
import { readRunbook, withoutFrontMatter, type RunbookFile } from './read-runbook.js';
import { MAX_RUNBOOK_TEXT, type RunbookInput } from './runbook-base.js';

/** Source of runbooks. URLs are configured by the operator and may be in-house. */
export type RunbookSource =
  /** A folder of Markdown files, or one file. `pages`: the URL at which people read its files. */
  | { folder: string; pages?: string }
  /** The files of an import. `origin` identifies their source. */
  | { files: readonly SourceFile[]; origin: string; pages?: string }
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

/** Current content of a source. */
export interface SourceContent {
  runbooks: RunbookInput[];
  /** Files without a valid runbook, and their errors. */
  wrong: { file: string; name: string; error: CasefileError }[];
  commit: string | null;
}

/** A found file; `bytes` is null if it is too large. */
type FoundFile = Omit<RunbookFile, 'bytes'> & { bytes: Uint8Array | null };

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
 * Reads all runbooks of a source; an invalid file affects only itself. Returns null if nothing has changed
 * since the known commit. @throws CasefileError if the source itself cannot be read.
 */
export async function readSource(
  source: RunbookSource,
  reader: Pick<RunbookReader, 'page' | 'repository'>,
  context: LookUpContext,
  knownCommit: string | null = null,
): Promise<SourceContent | null> {
  const { signal } = context;
  if ('files' in source) return { ...(await takenFiles(filesOfImport(source), signal)), commit: null };
  if ('folder' in source) return { ...(await takenFiles(filesOfFolder(source), signal)), commit: null };
  if ('url' in source)
    return { ...(await takenFiles([await fetchPage(source, reader, context)], signal)), commit: null };
  const { git: url, ref, token, username } = source;
  const repository = { url, ref, token, username };
  const below = pathFolder(source.path);
  const checkout = await reader.repository(
    repository,
    { endings: ENDINGS, known: knownCommit, below },
    context,
  );
  if (checkout === null) return null;
  const files = checkout.files.map(({ path, bytes }): FoundFile => {
    const name = path.slice(below.length);
    const address = pageAddress(source.pages, name) ?? pageOnGitHub(url, ref, path);
    return { name, bytes, source: address ?? `${url} ${path}`, address, commit: checkout.commit };
  });
  if (files.length === 0)
    throw new CasefileError(
      'unreadable_file',
      `${sourceOrigin(source)} has no document in it (${ENDINGS.join(', ')})`,
    );
  return { ...(await takenFiles(files, context.signal)), commit: checkout.commit };
}

async function* filesOfImport({
  files,
  pages,
}: {
  files: readonly SourceFile[];
  pages?: string;
}): AsyncGenerator<FoundFile> {
  for (const { name, path, bytes: read } of files) {
    const bytes = await read();
    const small = bytes.length > MOST_BYTES ? null : bytes;
    yield { name, bytes: small, source: path, address: pageAddress(pages, name) };
  }
}

async function* filesOfFolder({
  folder,
  pages,
}: {
  folder: string;
  pages?: string;
}): AsyncGenerator<FoundFile> {
  const isOne = !(await isFolder(folder));
  const names = isOne ? [basename(folder)] : await filesIn(folder, ENDINGS);
  for (const name of names) {
    const path = isOne ? folder : join(folder, name);
    yield { name, bytes: await bytesOf(path), source: path, address: pageAddress(pages, name) };
  }
}

async function bytesOf(path: string): Promise<Uint8Array | null> {
  try {
    return (await stat(path)).size > MOST_BYTES ? null : await readFile(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function fetchPage(
  { url, name, token }: { url: string; name?: string; token?: string },
  reader: Pick<RunbookReader, 'page'>,
  context: LookUpContext,
): Promise<RunbookFile> {
  const address = normalisedUrl(url);
  if (address === null)
    throw new CasefileError('unreadable_file', `${url} is not a URL: expected http://... or https://...`);
  const bytes = await reader.page(address, token ?? null, context);
  return { name: name === undefined ? nameOfPage(address) : `${name}.md`, bytes, source: url, address: url };
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

/** Pauses after each file for other work of this process. @throws the reason of the signal. */
async function takenFiles(
  files: Iterable<FoundFile> | AsyncIterable<FoundFile>,
  signal: AbortSignal,
): Promise<Pick<SourceContent, 'runbooks' | 'wrong'>> {
  const runbooks = new Map<string, RunbookInput>();
  const wrong: SourceContent['wrong'] = [];
  for await (const file of files) {
    await setImmediate();
    signal.throwIfAborted();
    if (isSectionPage(file)) continue;
    try {
      const runbook = readFound(file);
      const other = runbooks.get(runbook.name);
      if (other !== undefined) {
        const message = `would be the runbook ${runbook.name}, as ${other.source} is`;
        throw new InvalidInput([{ path: 'name', message }], 'runbook');
      }
      runbooks.set(runbook.name, runbook);
    } catch (error) {
      wrong.push({ file: file.source, name: file.name, error: asCasefileError(error) });
    }
  }
  return { runbooks: [...runbooks.values()], wrong };
}

/** Site generators keep the title of a folder in a file with front matter only. */
function isSectionPage({ name, bytes }: FoundFile): boolean {
  if (bytes === null || !/(?:^|[/\\])_index\.\w+$/i.test(name)) return false;
  return withoutFrontMatter(new TextDecoder().decode(bytes)).text.trim() === '';
}

function readFound({ bytes, ...file }: FoundFile): RunbookInput {
  if (bytes !== null) return readRunbook({ ...file, bytes });
  const most = `${MOST_BYTES / 1_000_000} MB`;
  throw new CasefileError(
    'too_large',
    `it has more than ${most}: a runbook has at most ${MAX_RUNBOOK_TEXT} characters. Divide it into several`,
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
