import {
  asCasefileError,
  builtModule,
  CasefileError,
  type BoundedRunner,
  type BoundedTask,
} from '@casefile/contracts';
import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import { createGuardedRead, type RequestContext } from '../../fetch/guarded-fetch.js';
import type { PageReader, Repository } from '../pages.js';
import { packRequest } from './pkt-lines.js';
import type { CommitFile, ReadCommitArgs } from './read-commit.js';

/** Of what a server sends for one commit: repositories with more have other things in them than text. */
const MAX_PACK_BYTES = 50_000_000;
/** Of the list of its branches and tags: some 40,000 of them. */
const MAX_REFS_BYTES = 4_000_000;
/** Of one file, where the server can leave out larger ones. */
const MAX_FILE_BYTES = 1_000_000;
const LIMITS = { objects: 100_000, objectBytes: 2_000_000, allBytes: 100_000_000 };
/** GitHub takes any name with a token; others want this one or their own. */
const USERNAME = 'x-access-token';

const READ_COMMIT: BoundedTask<ReadCommitArgs, CommitFile[]> = {
  what: 'The repository',
  advice: 'Keep large files out of it.',
  limits: { memoryMb: 220, timeMs: 20_000 },
  module: builtModule('./read-commit.js', import.meta.url),
  load: () => import('./read-commit.js'),
};

/** Reads one commit of one ref over smart HTTP, without its history. The runner unpacks it. */
export function repositoryReader(runner: BoundedRunner): PageReader['repository'] {
  return async (repository, { endings, known, below = '' }, context) => {
    try {
      const { commit, canFilter } = await headOf(repository, context);
      if (commit === known) return null;
      const answer = await packOf(
        repository,
        packRequest(commit, canFilter ? MAX_FILE_BYTES : null),
        context,
      );
      const { host } = new URL(repository.url);
      const args = { host, commit, endings, below, limits: LIMITS };
      return { commit, files: await runner.run(READ_COMMIT, answer, args, context) };
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof CasefileError) throw error;
      throw unreadable(repository, error);
    }
  };
}

/** What the ref points at now: a branch before a tag of the same name; of a tag with a message the commit, not the tag. */
async function headOf(repository: Repository, context: RequestContext) {
  const { url, ref } = repository;
  // Loaded when a repository is read: most processes never read one.
  const git = (await import('isomorphic-git')).default;
  const http = httpOver(url, context);
  const info = await git.getRemoteInfo2({ url, http, headers: headersOf(repository), protocolVersion: 1 });
  const wanted = ref === undefined ? ['HEAD'] : [`refs/heads/${ref}`, `refs/tags/${ref}`, ref];
  for (const name of wanted) {
    const found = info.refs?.find((one) => one.ref === name);
    if (found !== undefined)
      return { commit: found.peeled ?? found.oid, canFilter: 'filter' in info.capabilities };
  }
  throw new CasefileError(
    'unreadable_document',
    `${new URL(url).host} has no branch or tag ${JSON.stringify(ref ?? 'HEAD')} in this repository`,
  );
}

async function packOf(repository: Repository, bytes: Uint8Array, context: RequestContext): Promise<Buffer> {
  const url = new URL(repository.url);
  const read = createGuardedRead({ baseUrl: url.origin, maxBytes: MAX_PACK_BYTES });
  const answer = await read(
    {
      path: `${url.pathname.replace(/\/$/, '')}/git-upload-pack${url.search}`,
      method: 'POST',
      headers: { accept: 'application/x-git-upload-pack-result', ...headersOf(repository) },
      content: { type: 'application/x-git-upload-pack-request', bytes },
    },
    context,
  );
  return answer.bytes;
}

function headersOf({ token, username = USERNAME }: Repository): Record<string, string> {
  if (token === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}` };
}

/** The requests of the Git client, through the guarded fetch: to the server of the repository alone. */
function httpOver(repository: string, context: RequestContext): HttpClient {
  const { origin } = new URL(repository);
  const read = createGuardedRead({ baseUrl: origin, maxBytes: MAX_REFS_BYTES });
  return {
    async request({ url, method = 'GET', headers = {} }: GitHttpRequest): Promise<GitHttpResponse> {
      const at = new URL(url);
      if (at.origin !== origin)
        throw new CasefileError('redirect_refused', `${new URL(origin).host} leads to ${at.host}`);
      const answer = await read({ path: `${at.pathname}${at.search}`, headers }, context);
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
