import { CasefileError } from '@casefile/contracts';
import type { SocketAddress } from './session.js';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shortHash } from './run-as.js';

/** Limit for a socket's path: 107 bytes on Linux (`sun_path` without its closing NUL), 103 on macOS. */
const LONGEST_PATH = 103;
/**
 * Postgres reads the setting as a list and strips quotes. Paths with other characters are replaced by a
 * folder with a plain name.
 */
const PLAIN = /^[A-Za-z0-9/._-]+$/;

/** Returns the socket file that Postgres creates in `folder`. */
export function socketFile(folder: string, port: number): string {
  return join(folder, `.s.PGSQL.${port}`);
}

/**
 * Returns the folder of the server's socket: `wanted` if its path is plain and short enough. Otherwise a
 * folder under the system's temporary folder that is always the same for the same data folder.
 */
export function chooseSocketFolder(dataDir: string, wanted: string, port: number): string {
  const fits = Buffer.byteLength(socketFile(wanted, port)) <= LONGEST_PATH && PLAIN.test(wanted);
  return fits ? wanted : join(tmpdir(), `casefile-${process.getuid?.() ?? 'user'}-${shortHash(dataDir)}`);
}

/** The superuser of an embedded server. The socket's folder is private, so there is no password. */
export const SUPERUSER = 'casefile';

/**
 * Returns `postgres://casefile@localhost:5432/<database>?host=<socket folder>`. Every URL parser can read it,
 * and drivers take `host` from the query (like libpq).
 */
export function serverUrl(socketDir: string, port: number, database: string): string {
  return `postgres://${SUPERUSER}@localhost:${port}/${encodeURIComponent(database)}?host=${encodeURIComponent(socketDir)}`;
}

/** Reads a URL made by `serverUrl`. @throws CasefileError `not_embedded` for any other URL. */
export function urlAddress(url: string): SocketAddress {
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
