import { CasefileError } from '@casefile/contracts';
import { spawnSync } from 'node:child_process';
import { installed } from './apt-get.js';

let found: string | undefined;

/**
 * Returns the command that starts Redis. Installs Debian's package if it is missing and this process is root.
 * @throws CasefileError `redis_missing` that names the package to install.
 */
export function redisBinary(): string {
  found ??= installed('redis-server', isThere) ? 'redis-server' : undefined;
  if (found !== undefined) return found;
  throw new CasefileError(
    'redis_missing',
    'Tests of the Redis queue need the program redis-server: install it (Debian: apt-get install redis-server).',
  );
}

function isThere(): boolean {
  return spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;
}
