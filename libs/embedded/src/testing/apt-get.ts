import { spawnSync } from 'node:child_process';

/**
 * Test files may install programs concurrently, and apt does not wait for its locks on lists and downloads.
 */
const LOCK = '/var/tmp/casefile-apt.lock';
/** In "single user mode", Debian's packages start no services. Only our private servers must run. */
const QUIET = ['RUNLEVEL=1', 'DEBIAN_FRONTEND=noninteractive'];
/** Another process may be installing packages. */
const OPTIONS = ['-o', 'DPkg::Lock::Timeout=120', '-o', 'APT::Sandbox::User=root'];

/** Runs apt-get, one at a time on this machine, and waits for it. @returns whether it succeeded. */
export function aptGet(args: readonly string[], cwd?: string): boolean {
  const command = ['env', ...QUIET, 'apt-get', ...OPTIONS, ...args];
  return spawnSync('flock', [LOCK, ...command], { cwd, stdio: 'ignore' }).status === 0;
}

/**
 * Installs a Debian package if `isThere` returns false and this process is root. @returns whether it is there
 * now.
 */
export function installed(name: string, isThere: () => boolean): boolean {
  if (isThere()) return true;
  if (process.getuid?.() !== 0 || !aptGet(['update'])) return false;
  // Another process may have installed it during the wait for the lock.
  return isThere() || (aptGet(['install', '-y', '--no-install-recommends', name]) && isThere());
}

/** Downloads a Debian package into `folder`, under apt's file name. @returns whether the file is there. */
export function downloaded(name: string, folder: string): boolean {
  const fetches = () => aptGet(['download', name], folder);
  return fetches() || (process.getuid?.() === 0 && aptGet(['update']) && fetches());
}
