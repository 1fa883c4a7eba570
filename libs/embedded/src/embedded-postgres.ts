import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { asCasefileError, type Logger } from '@casefile/contracts';
import { bringUp, type Running } from './bring-up.js';
import { isRunning, type ServerSettings } from './server-process.js';
import { serverUrl } from './server-url.js';
import { endServer, leaveServer } from './shared-server.js';

/**
 * Program that the guard runs. It is separate and not bundled, because it runs only if a process was killed.
 */
const guardProgram = (): string => fileURLToPath(import.meta.resolve('@casefile/embedded/guard-main'));

/**
 * Wait between a death and the next start. It doubles with each failed start, because the cause may last (a
 * full disk).
 */
const RESTART_PAUSE_MS = { first: 200, longest: 5_000 } as const;

/** A running private Postgres. Created by `startEmbeddedPostgres`. */
export class EmbeddedPostgres {
  private readonly over = new AbortController();
  private restarting: Promise<void> = Promise.resolve();
  /** Time of death by a monotonic clock; null: the server runs. */
  private goneSince: number | null = null;

  private constructor(
    private readonly settings: ServerSettings,
    private readonly log: Logger,
    private readonly guard: Guard,
    private running: Running,
  ) {
    this.watch();
  }

  static async start(settings: ServerSettings, log: Logger): Promise<EmbeddedPostgres> {
    // Started before the server. It ends the server if this process ends without stopping it.
    const guard = startGuard([process.execPath, guardProgram(), settings.runAs.dataDir]);
    try {
      const running = await bringUp(settings, log);
      const { pid } = running.postmaster;
      log.info({ pid, attached: !running.startedHere }, 'embedded Postgres is up');
      return new EmbeddedPostgres(settings, log, guard, running);
    } catch (error) {
      guard.release();
      throw error;
    }
  }

  /** URL of one of its databases, for superuser `casefile`. */
  url(database: string): string {
    const { socketDir, port } = this.running.postmaster;
    return serverUrl(socketDir, port, database);
  }

  /** Process id of the server. It changes after a crash. */
  get pid(): number {
    return this.running.postmaster.pid;
  }

  /** Milliseconds for which the server has not been running; 0 while it runs. */
  goneForMs(): number {
    return this.goneSince === null ? 0 : performance.now() - this.goneSince;
  }

  /** false: the server was already running. */
  get startedHere(): boolean {
    return this.running.startedHere;
  }

  /**
   * Leaves the server. If this process was its last user, waits until the server has ended. Other processes
   * on the same data folder keep the server.
   */
  async stop(): Promise<void> {
    this.over.abort();
    await this.restarting;
    const { session } = this.running;
    try {
      // After a lost session, this process does not know whether the server has other users. The guard finds
      // out.
      if (session.isLost && (await isRunning(this.pid))) return;
      const isLast = await leaveServer(session);
      if (isLast)
        await endServer(this.pid, (signal) =>
          this.log.warn({ pid: this.pid, signal }, 'embedded Postgres does not stop'),
        );
      this.guard.release();
    } finally {
      session.close();
    }
  }

  private get stopping(): boolean {
    return this.over.signal.aborted;
  }

  // The session ends with the server, whichever process started it.
  private watch(): void {
    void this.running.session.closed.then(() => (this.restarting = this.restart()));
  }

  /** Restarts the server, with retries until it runs or this process stops. */
  private async restart(): Promise<void> {
    if (this.stopping) return;
    this.goneSince = performance.now();
    this.log.error({ pid: this.pid }, 'embedded Postgres died, starting it again');
    for (let pauseMs: number = RESTART_PAUSE_MS.first; !this.stopping;) {
      await this.pause(pauseMs);
      if (this.stopping) return;
      try {
        this.running = await bringUp(this.settings, this.log);
        this.goneSince = null;
        this.log.info({ pid: this.pid }, 'embedded Postgres is up again');
        return this.watch();
      } catch (error) {
        pauseMs = Math.min(2 * pauseMs, RESTART_PAUSE_MS.longest);
        this.log.error(
          { err: asCasefileError(error), nextTryMs: pauseMs },
          'embedded Postgres cannot be started again yet',
        );
      }
    }
  }

  /** Waits, at most until the stop. Does not keep the process alive. */
  private async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.over.signal, ref: false }).catch(
      () => this.over.signal.aborted,
    );
  }
}

/** Runs its command when this process has ended for any reason, including kill -9. */
interface Guard {
  /** Ends the guard without running its command. */
  release(): void;
}

/** Waits for a line or the end of its input. An end without a line means that the other process has ended. */
const SCRIPT = 'read -r _ || exec "$@"';

/**
 * Starts a guard: a shell of about 1 MB that holds a pipe to this process and runs `command` when the pipe
 * closes. It has its own process group, so that signals of a terminal do not reach it.
 */
export function startGuard(command: readonly string[]): Guard {
  const child = spawn('sh', ['-c', SCRIPT, 'casefile-guard', ...command], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  });
  // Without a shell, or after the shell's death, there is no guard. The ordered stop still works.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as Socket).unref();
  return { release: () => void child.stdin.end('\n') };
}
