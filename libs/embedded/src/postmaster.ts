import { readFile, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from './binaries.js';

/** What a running server says of itself in `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  port: number;
  socketDir: string;
}

/** Reads `postmaster.pid`; null when there is none, or not a whole one yet. */
export async function readPostmaster(dataDir: string): Promise<Postmaster | null> {
  const text = await readFile(pidFile(dataDir), 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return '';
    throw error;
  });
  const [pid = '', , , port = '', socketDir = ''] = text.split('\n');
  if (!/^\d+$/.test(pid) || !/^\d+$/.test(port) || socketDir === '') return null;
  return { pid: Number(pid), port: Number(port), socketDir };
}

export const pidFile = (dataDir: string): string => join(dataDir, 'postmaster.pid');

/** Does the process exist, zombies included? */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
}

/** Does the process exist and is not just a zombie waiting to be reaped? Without /proc: does it exist? */
export async function isRunning(pid: number): Promise<boolean> {
  if (!processExists(pid)) return false;
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return state === null ? processExists(pid) : !/\) [ZX] /.test(state);
}

/**
 * Is the process something else than a Postgres on this data folder? After a restart of the machine
 * or container the number in a stale file may be anybody's, and Postgres would refuse to start.
 * Only said when it is certain: Postgres always works in its data folder.
 */
export async function isStranger(pid: number, dataDir: string): Promise<boolean> {
  const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  return workingFolder !== null && workingFolder !== (await realpath(dataDir));
}
