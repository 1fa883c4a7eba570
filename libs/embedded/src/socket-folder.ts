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
