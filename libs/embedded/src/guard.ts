import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** Runs its command when this process is gone, however it ended, also by kill -9. */
export interface Guard {
  /** Ends the guard: there is nothing left for its command to do. */
  release(): void;
}

/** Waits for a line or the end of its input. The end without a line means that the process at the other end is gone. */
const SCRIPT = 'read -r _ || exec "$@"';

/**
 * Starts a guard: a shell of about 1 MB that holds a pipe to this process and runs `command` when the pipe closes.
 * It has a process group of its own, so that signals of a terminal do not reach it.
 */
export function startGuard(command: readonly string[]): Guard {
  const child = spawn('sh', ['-c', SCRIPT, 'casefile-guard', ...command], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  // Without a shell or after its death nothing is guarded, and the ordered stop works as ever.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as Socket).unref();
  return { release: () => void child.stdin.end('\n') };
}
