import type { RequestContext } from '../fetch/guarded-fetch.js';
import type { Remote } from './git/remote.js';

/** A repository whose files are read, as configured by the operator. */
export interface Repository extends Remote {
  /** A branch or a tag. Default: the server's HEAD. */
  ref?: string;
}

/** Files of a commit; `bytes` is null if a file is larger than 1 MB. */
export interface RepositoryFiles {
  commit: string;
  files: { path: string; bytes: Uint8Array | null }[];
}

/**
 * Reads pages and repositories. URLs of the operator may be anywhere; URLs of alerts must be listed and
 * public.
 */
export interface PageReader {
  /** Returns whether the host of this URL is on the list for URLs of alerts. */
  mayRead(address: URL): boolean;
  /** Reads a page linked by an alert: never with a token, and only at a public address. */
  pageOfAlert(address: URL, context: RequestContext): Promise<Uint8Array>;
  /** Reads a page configured by the operator. The token is sent to its host only. */
  page(address: URL, token: string | null, context: RequestContext): Promise<Uint8Array>;
  /**
   * Reads the files of a repository by the end of their names and the beginning of their paths (`below`).
   * Returns null if its commit is still the known one.
   * @throws CasefileError `unreadable_document` if the server has no such ref or is no Git server,
   * `too_large` with the limit, and errors of the guarded fetch.
   */
  repository(
    repository: Repository,
    wanted: { endings: readonly string[]; known: string | null; below?: string },
    context: RequestContext,
  ): Promise<RepositoryFiles | null>;
}
