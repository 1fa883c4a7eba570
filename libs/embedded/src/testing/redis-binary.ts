import { CasefileError } from '@casefile/contracts';
import { spawnSync } from 'node:child_process';

const INSTALL = ['install', '-y', '--no-install-recommends', 'redis-server'];
/** In "single user mode" Debian's packages start no service: only our private servers are to run. */
const QUIET = ['RUNLEVEL=1', 'DEBIAN_FRONTEND=noninteractive'];
/** Two test files may find it missing at once. */
const LOCKED = ['-o', 'DPkg::Lock::Timeout=120'];

let found: string | undefined;

/**
 * The command that starts Redis. Installs Debian's package when it is missing and we are root.
 * @throws CasefileError `redis_missing` that says what to install.
 */
export function redisBinary(): string {
  found ??= isThere() || (installs() && isThere()) ? 'redis-server' : undefined;
  if (found !== undefined) return found;
  throw new CasefileError(
    'redis_missing',
    'Tests of the Redis queue need the program redis-server: install it (Debian: apt-get install redis-server).',
  );
}

function isThere(): boolean {
  return spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;
}

function installs(): boolean {
  const apt = (...args: string[]) =>
    spawnSync('env', [...QUIET, 'apt-get', ...LOCKED, ...args], { stdio: 'ignore' }).status === 0;
  return process.getuid?.() === 0 && apt('update') && apt(...INSTALL);
}
