import { CasefileError } from '@casefile/contracts';
import type { SocketAddress } from './session.js';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shortHash } from './run-as.js';

/** A socket's path may have 107 bytes at most (`sun_path` of Linux, less its closing NUL; macOS: 103). */
const LONGEST_PATH = 103;
/** Postgres reads the setting as a list and strips quotes: other characters go to a folder with a plain name. */
const PLAIN = /^[A-Za-z0-9/._-]+$/;

/** The socket file that Postgres makes in `folder`. */
export function socketFile(folder: string, port: number): string {
  return join(folder, `.s.PGSQL.${port}`);
}

/**
 * Where the server's socket goes: `wanted` when the path is plain and short enough, else a folder
 * under the system's temporary folder that is always the same for the same data folder.
 */
export function chooseSocketFolder(dataDir: string, wanted: string, port: number): string {
  const fits = Buffer.byteLength(socketFile(wanted, port)) <= LONGEST_PATH && PLAIN.test(wanted);
  return fits ? wanted : join(tmpdir(), `casefile-${process.getuid?.() ?? 'user'}-${shortHash(dataDir)}`);
}

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
