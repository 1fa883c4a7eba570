import type { BoundedRunner } from '@casefile/contracts';
import { isAllowedHost } from '../fetch/addresses.js';
import { createGuardedRead, type RequestContext } from '../fetch/guarded-fetch.js';
import { repositoryReader } from './git/read-repository.js';

/** A repository whose files are read, by the operator's configuration. */
export interface Repository {
  /** As in `https://git.example/team/books.git`; its host may be in-house or on loopback. */
  url: string;
  /** A branch or a tag; absent: what the server calls HEAD. */
  ref?: string;
  token?: string;
  /** The name that goes with the token. */
  username?: string;
}

/** Files of a commit; `bytes` is null when a file is larger than 1 MB. */
export interface RepositoryFiles {
  commit: string;
  files: { path: string; bytes: Uint8Array | null }[];
}

/** Reads pages and repositories: addresses of the operator's anywhere, those of alerts on the list and in public alone. S2-41. */
export interface PageReader {
  /** Is the host of this address on the list of those that alerts may lead to? */
  mayRead(address: URL): boolean;
  /** A page that an alert leads to: never with a token, never at an address that is not public. */
  pageOfAlert(address: URL, context: RequestContext): Promise<Uint8Array>;
  /** A page of the operator's. The token goes to its host alone. */
  page(address: URL, token: string | null, context: RequestContext): Promise<Uint8Array>;
  /**
   * The files of a repository whose names end so and whose paths begin with `below`; null: its commit is still the one that
   * is known.
   * @throws CasefileError `unreadable_document` when the server has no such ref or speaks no Git, `too_large` with the limit,
   * and errors of the guarded fetch.
   */
  repository(
    repository: Repository,
    wanted: { endings: readonly string[]; known: string | null; below?: string },
    context: RequestContext,
  ): Promise<RepositoryFiles | null>;
}

/** Of a page: five times the longest runbook in three-byte letters is still refused by its reader. */
const MAX_PAGE_BYTES = 1_000_000;

/**
 * @param allowedHosts The patterns of `isAllowedHost`: where alerts, and redirects, may lead.
 * @param runner Unpacks what a Git server sends.
 */
export function createPageReader(allowedHosts: readonly string[], runner: BoundedRunner): PageReader {
  const options = { allowedHosts, maxBytes: MAX_PAGE_BYTES };
  return {
    mayRead: (address) =>
      address.username === '' && address.password === '' && isAllowedHost(address, allowedHosts),
    pageOfAlert: async (address, context) => {
      const read = createGuardedRead({ baseUrl: address.origin, untrusted: true, ...options });
      return (await read({ path: pathOf(address) }, context)).bytes;
    },
    page: async (address, token, context) => {
      const read = createGuardedRead({ baseUrl: address.origin, ...options });
      const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
      return (await read({ path: pathOf(address), headers }, context)).bytes;
    },
    repository: repositoryReader(runner),
  };
}

const pathOf = ({ pathname, search }: URL): string => `${pathname}${search}`;
