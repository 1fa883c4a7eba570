import {
  asCasefileError,
  builtModule,
  CasefileError,
  type BoundedRunner,
  type BoundedTask,
} from '@casefile/contracts';
import { isAllowedHost } from '../fetch/addresses.js';
import { createGuardedRead } from '../fetch/guarded-fetch.js';
import type { CommitFile, ReadCommitArgs } from './git/read-commit.js';
import { commitOf, fetchPack, remoteRefs } from './git/remote.js';
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
/** Most bytes of one file, if the server can filter larger ones. */
const MAX_FILE_BYTES = 1_000_000;
const LIMITS = { objects: 100_000, objectBytes: 2_000_000, allBytes: 100_000_000 };

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
      const refs = await remoteRefs(repository, context);
      const commit = commitOf(refs, repository.ref);
      if (commit === known) return null;
      const filter = refs.capabilities.includes('filter') ? `blob:limit=${MAX_FILE_BYTES}` : null;
      const wanted = { commit, depth: 1, filter, maxBytes: MAX_PACK_BYTES };
      const answer = await fetchPack(repository, wanted, context);
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

function unreadable({ url }: Repository, error: unknown): CasefileError {
  const message = `The repository on ${new URL(url).host} cannot be read: ${asCasefileError(error).message}`;
  return new CasefileError('unreadable_document', message, { cause: error });
}
