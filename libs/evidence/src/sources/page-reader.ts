import type { RequestContext } from '../fetch/guarded-fetch.js';

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
