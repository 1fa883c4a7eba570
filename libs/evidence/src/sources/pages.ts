import {
  asCasefileError,
  builtModule,
  CasefileError,
  type BoundedRunner,
  type BoundedTask,
} from '@casefile/contracts';
import { isAllowedHost } from '../fetch/addresses.js';
import { createGuardedRead, type RequestContext } from '../fetch/guarded-fetch.js';
import { packRequest, readServerRefs } from './git/pkt-lines.js';
import type { CommitFile, ReadCommitArgs } from './git/read-commit.js';
import type { PageReader, Repository } from './page-reader.js';

/** Most bytes of a page. A runbook has at most 200,000 characters: 600 kB in three-byte letters. */
const MAX_PAGE_BYTES = 1_000_000;

/**
 * @param allowedHosts Patterns of `isAllowedHost` for alerts' links and for redirects.
 * @param runner Unpacks the answers of a Git server.
 */
export function createPageReader(allowedHosts: readonly string[], runner: BoundedRunner): PageReader {
  const options = { allowedHosts, maxBytes: MAX_PAGE_BYTES };
  return {
    mayRead: (address) =>
      address.username === '' && address.password === '' && isAllowedHost(address, allowedHosts),
    pageOfAlert: async (address, context) => {
      const read = createGuardedRead({ baseUrl: address.origin, untrusted: true, ...options });
      return (await read({ path: uRLPath(address) }, context)).bytes;
    },
    page: async (address, token, context) => {
      const read = createGuardedRead({ baseUrl: address.origin, ...options });
      const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
      return (await read({ path: uRLPath(address), headers }, context)).bytes;
    },
    repository: repositoryReader(runner),
  };
}

const uRLPath = ({ pathname, search }: URL): string => `${pathname}${search}`;

/** Most bytes of a server's answer for one commit: larger repositories contain other things than text. */
const MAX_PACK_BYTES = 50_000_000;
/** Most bytes of the list of branches and tags, about 40,000 of them. */
const MAX_REFS_BYTES = 4_000_000;
/** Most bytes of one file, if the server can filter larger ones. */
const MAX_FILE_BYTES = 1_000_000;
const LIMITS = { objects: 100_000, objectBytes: 2_000_000, allBytes: 100_000_000 };
/** GitHub accepts any user name with a token; others require this one or a specific one. */
const USERNAME = 'x-access-token';

const READ_COMMIT: BoundedTask<ReadCommitArgs, CommitFile[]> = {
  what: 'The repository',
  advice: 'Keep large files out of it.',
  limits: { memoryMb: 220, timeMs: 20_000 },
  module: builtModule('./git/read-commit.js', import.meta.url),
  load: () => import('./git/read-commit.js'),
};

/** Reads one commit of one ref over smart HTTP, without its history. The runner unpacks it. */
function repositoryReader(runner: BoundedRunner): PageReader['repository'] {
  return async (repository, { endings, known, below = '' }, context) => {
    try {
      const { commit, canFilter } = await repositoryHead(repository, context);
      if (commit === known) return null;
      const request = packRequest(commit, canFilter ? MAX_FILE_BYTES : null);
      const httpRequest = { path: '/git-upload-pack', maxBytes: MAX_PACK_BYTES, request };
      const answer = await ask(repository, httpRequest, context);
      const { host } = new URL(repository.url);
      const args = { host, commit, endings, below, limits: LIMITS };
      return { commit, files: await runner.run(READ_COMMIT, answer, args, context) };
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof CasefileError && error.reasonCode !== 'unreadable_document') throw error;
      throw unreadable(repository, error);
    }
  };
}

/** Commit that the ref points to now: a branch takes precedence over a tag of the same name. */
async function repositoryHead(repository: Repository, context: RequestContext) {
  const { ref } = repository;
  const { refs, capabilities } = readServerRefs(
    await ask(repository, { path: '/info/refs?service=git-upload-pack', maxBytes: MAX_REFS_BYTES }, context),
  );
  const wanted = ref === undefined ? ['HEAD'] : [`refs/heads/${ref}`, `refs/tags/${ref}`, ref];
  for (const name of wanted) {
    const commit = refs.get(name);
    if (commit !== undefined) return { commit, canFilter: capabilities.includes('filter') };
  }
  throw new CasefileError('unreadable_document', `it has no branch or tag ${JSON.stringify(ref ?? 'HEAD')}`);
}

/** Contacts only the server of the repository. */
async function ask(
  repository: Repository,
  { path, maxBytes, request }: { path: string; maxBytes: number; request?: Uint8Array },
  context: RequestContext,
): Promise<Buffer> {
  const { origin, pathname } = new URL(repository.url);
  const read = createGuardedRead({ baseUrl: origin, maxBytes });
  const post =
    request === undefined
      ? {}
      : ({
          method: 'POST',
          content: { type: 'application/x-git-upload-pack-request', bytes: request },
        } as const);
  const { bytes } = await read(
    { path: `${pathname.replace(/\/$/, '')}${path}`, headers: repositoryHeaders(repository), ...post },
    context,
  );
  return bytes;
}

function repositoryHeaders({ token, username = USERNAME }: Repository): Record<string, string> {
  if (token === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}` };
}

function unreadable({ url }: Repository, error: unknown): CasefileError {
  const message = `The repository on ${new URL(url).host} cannot be read: ${asCasefileError(error).message}`;
  return new CasefileError('unreadable_document', message, { cause: error });
}
