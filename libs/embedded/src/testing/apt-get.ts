import { spawnSync } from 'node:child_process';

/** Test files find programs missing at the same moment, and apt's locks on its lists and downloads do not wait. */
const LOCK = '/var/tmp/casefile-apt.lock';
/** In "single user mode" Debian's packages start no service: only our private servers are to run. */
const QUIET = ['RUNLEVEL=1', 'DEBIAN_FRONTEND=noninteractive'];
/** Somebody else may be installing something. */
const OPTIONS = ['-o', 'DPkg::Lock::Timeout=120', '-o', 'APT::Sandbox::User=root'];

/** Runs apt-get, one at a time on this machine, and waits for it. @returns did it succeed? */
export function aptGet(args: readonly string[], cwd?: string): boolean {
  const command = ['env', ...QUIET, 'apt-get', ...OPTIONS, ...args];
  return spawnSync('flock', [LOCK, ...command], { cwd, stdio: 'ignore' }).status === 0;
}

/** Installs a package of Debian when `isThere` says that it is missing and we are root. @returns is it there now? */
export function installed(name: string, isThere: () => boolean): boolean {
  if (isThere()) return true;
  if (process.getuid?.() !== 0 || !aptGet(['update'])) return false;
  // Who waited may find it installed by another one.
  return isThere() || (aptGet(['install', '-y', '--no-install-recommends', name]) && isThere());
}

/** Fetches a package of Debian into `folder`, as a file of apt's naming. @returns is it there? */
export function downloaded(name: string, folder: string): boolean {
  const fetches = () => aptGet(['download', name], folder);
  return fetches() || (process.getuid?.() === 0 && aptGet(['update']) && fetches());
}
