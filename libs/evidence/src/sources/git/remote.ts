import { CasefileError } from '@casefile/contracts';
import { createGuardedRead, type RequestContext } from '../../fetch/guarded-fetch.js';
import { packRequest, readServerRefs, type ServerRefs } from './pkt-lines.js';

/** A repository on a server with smart HTTP. */
export interface Remote {
  /** For example `https://git.example/team/books.git`; its host may be in-house or on loopback. */
  url: string;
  token?: string;
  /** User name sent with the token. */
  username?: string;
}

/** Most bytes of the list of branches and tags, about 40,000 of them. */
const MAX_REFS_BYTES = 4_000_000;
/** GitHub accepts any user name with a token; others require this one or a specific one. */
const USERNAME = 'x-access-token';

/** Returns the branches and tags of a repository. @throws CasefileError `unreadable_document`, those of the guarded fetch. */
export async function remoteRefs(remote: Remote, context: RequestContext): Promise<ServerRefs> {
  const listing = { path: '/info/refs?service=git-upload-pack', maxBytes: MAX_REFS_BYTES };
  return readServerRefs(await askServer(remote, listing, context));
}

/** Returns the commit of a branch, a tag or `HEAD`. A branch takes precedence over a tag of the same name. */
export function commitOf({ refs }: ServerRefs, ref = 'HEAD'): string {
  for (const name of ref === 'HEAD' ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`, ref]) {
    const commit = refs.get(name);
    if (commit !== undefined) return commit;
  }
  throw new CasefileError('unreadable_document', `it has no branch or tag ${JSON.stringify(ref)}`);
}

/**
 * Returns the answer of the server with the pack of a commit and those before it.
 * @param filter Objects that the server leaves out, if it can; null: none.
 */
export function fetchPack(
  remote: Remote,
  wanted: { commit: string; depth: number; filter: string | null; maxBytes: number },
  context: RequestContext,
): Promise<Buffer> {
  const { maxBytes } = wanted;
  return askServer(remote, { path: '/git-upload-pack', maxBytes, request: packRequest(wanted) }, context);
}

/** Contacts only the server of the repository. */
async function askServer(
  remote: Remote,
  { path, maxBytes, request }: { path: string; maxBytes: number; request?: Uint8Array },
  context: RequestContext,
): Promise<Buffer> {
  const { origin, pathname } = new URL(remote.url);
  const read = createGuardedRead({ baseUrl: origin, maxBytes });
  const post =
    request === undefined
      ? {}
      : ({
          method: 'POST',
          content: { type: 'application/x-git-upload-pack-request', bytes: request },
        } as const);
  const { bytes } = await read(
    { path: `${pathname.replace(/\/$/, '')}${path}`, headers: remoteHeaders(remote), ...post },
    context,
  );
  return bytes;
}

function remoteHeaders({ token, username = USERNAME }: Remote): Record<string, string> {
  if (token === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}` };
}
