import { CasefileError } from '@casefile/contracts';
import { socketFile } from './socket-folder.js';
import type { SocketAddress } from './simple-query.js';

/** The superuser of an embedded server. The socket's folder is private, so there is no password. */
export const SUPERUSER = 'casefile';

/**
 * `postgres://casefile@localhost:5432/<database>?host=<socket folder>`: every URL parser reads it, and
 * drivers take `host` from the query (as libpq does).
 */
export function serverUrl(socketDir: string, port: number, database: string): string {
  return `postgres://${SUPERUSER}@localhost:${port}/${encodeURIComponent(database)}?host=${encodeURIComponent(socketDir)}`;
}

/** Reads a URL made by `serverUrl`. @throws CasefileError `not_embedded` for any other. */
export function addressOf(url: string): SocketAddress {
  const parsed = new URL(url);
  const folder = parsed.searchParams.get('host');
  if (folder === null || !folder.startsWith('/')) {
    throw new CasefileError('not_embedded', 'This URL does not name a Postgres on a Unix socket.');
  }
  return {
    socket: socketFile(folder, Number(parsed.port || 5432)),
    user: decodeURIComponent(parsed.username),
    database: decodeURIComponent(parsed.pathname.slice(1)),
  };
}
