import fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asCasefileError, CasefileError } from '@casefile/contracts';
import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import { createGuardedRead, type RequestContext } from '../fetch/guarded-fetch.js';
import type { PageReader, Repository, RepositoryFiles } from './pages.js';

/** Of what a server sends for one commit: repositories with more have other things in them than text. */
const MAX_PACK_BYTES = 50_000_000;
/** Of one file; longer ones are handed on cut, for the reader to refuse. */
const MAX_FILE_BYTES = 1_000_000;
const MOST_FILES = 2_000;
/** GitHub takes any name with a token; others want this one or their own. */
const USERNAME = 'x-access-token';

/** One commit of one ref over smart HTTP, without its history, in a folder of its own that is removed afterwards. */
export const readRepository: PageReader['repository'] = async (repository, { endings, known }, context) => {
  const access = {
    url: repository.url,
    http: httpOver(repository.url, context),
    headers: headersOf(repository),
  };
  const dir = await mkdtemp(join(tmpdir(), 'casefile-git-'));
  try {
    const git = await loadGit();
    const { commit, ref } = await headOf(repository, access);
    if (commit === known) return null;
    await git.init({ fs, dir });
    await git.addRemote({ fs, dir, remote: 'origin', url: repository.url });
    await git.fetch({
      fs,
      dir,
      ...access,
      ref,
      remoteRef: ref,
      remote: 'origin',
      depth: 1,
      singleBranch: true,
      tags: false,
    });
    return { commit, files: await filesOf(dir, commit, endings) };
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof CasefileError) throw error;
    throw unreadable(repository, error);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
};

/** Loaded when a repository is read: most processes never read one. */
const loadGit = async () => (await import('isomorphic-git')).default;

/** What the ref points at now: a branch before a tag of the same name; of a tag with a message the commit, not the tag. */
async function headOf(
  { url, ref }: Repository,
  access: { url: string; http: HttpClient; headers: Record<string, string> },
) {
  const git = await loadGit();
  const refs = await git.listServerRefs({ ...access, protocolVersion: 1, peelTags: true });
  const wanted = ref === undefined ? ['HEAD'] : [`refs/heads/${ref}`, `refs/tags/${ref}`, ref];
  for (const name of wanted) {
    const found = refs.find((one) => one.ref === name);
    if (found !== undefined) return { commit: found.peeled ?? found.oid, ref: name };
  }
  throw new CasefileError(
    'unreadable_document',
    `${new URL(url).host} has no branch or tag ${JSON.stringify(ref ?? 'HEAD')} in this repository`,
  );
}

async function filesOf(
  dir: string,
  commit: string,
  endings: readonly string[],
): Promise<RepositoryFiles['files']> {
  const files: RepositoryFiles['files'] = [];
  const git = await loadGit();
  await git.walk({
    fs,
    dir,
    trees: [git.TREE({ ref: commit })],
    map: async (path, [entry]) => {
      if (
        entry === null ||
        entry === undefined ||
        path.split('/').some((part) => part.startsWith('.') && part !== '.')
      )
        return null;
      if ((await entry.type()) !== 'blob') return undefined;
      if (!endings.some((ending) => path.toLowerCase().endsWith(ending)) || files.length >= MOST_FILES)
        return undefined;
      const bytes = (await entry.content()) ?? new Uint8Array();
      files.push({ path, bytes: bytes.subarray(0, MAX_FILE_BYTES) });
      return undefined;
    },
  });
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function headersOf({ token, username = USERNAME }: Repository): Record<string, string> {
  if (token === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}` };
}

/** What the Git client asks, through the guarded fetch: to the server of the repository alone. */
function httpOver(repository: string, context: RequestContext): HttpClient {
  const { origin } = new URL(repository);
  const read = createGuardedRead({ baseUrl: origin, maxBytes: MAX_PACK_BYTES });
  return {
    async request({ url, method = 'GET', headers = {}, body }: GitHttpRequest): Promise<GitHttpResponse> {
      const at = new URL(url);
      if (at.origin !== origin)
        throw new CasefileError('redirect_refused', `${new URL(origin).host} leads to ${at.host}`);
      const { 'content-type': type, ...others } = lowerCase(headers);
      const answer = await read(
        {
          path: `${at.pathname}${at.search}`,
          method: method === 'POST' ? 'POST' : 'GET',
          headers: others,
          ...(body === undefined
            ? {}
            : { content: { type: type ?? 'application/octet-stream', bytes: await bytesOf(body) } }),
        },
        context,
      );
      return {
        url,
        method,
        statusCode: answer.status,
        statusMessage: 'OK',
        headers: { 'content-type': answer.contentType },
        body: once(answer.bytes),
      };
    },
  };
}

const lowerCase = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

async function bytesOf(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* once(bytes: Uint8Array): AsyncIterableIterator<Uint8Array> {
  yield bytes;
}

function unreadable({ url }: Repository, error: unknown): CasefileError {
  const { message } = asCasefileError(error);
  return new CasefileError(
    'unreadable_document',
    `${new URL(url).host} gives no files by Git: ${message.slice(0, 300)}`,
    { cause: error },
  );
}
