import { asCasefileError, type Logger } from '@casefile/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import { bringUp, type Running } from './bring-up.js';
import { isRunning, type ServerSettings } from './server-process.js';
import { serverUrl, SUPERUSER, socketFile } from './server-url.js';
import { simpleQuery } from './simple-query.js';

/** Fast shutdown first; then without a checkpoint; then by force. In milliseconds. */
const STOP_STEPS = [
  { signal: 'SIGINT', patienceMs: 10_000 },
  { signal: 'SIGQUIT', patienceMs: 3_000 },
  { signal: 'SIGKILL', patienceMs: 3_000 },
] as const;
const OTHER_CLIENTS = `select count(*) from pg_stat_activity
  where backend_type = 'client backend' and pid <> pg_backend_pid()`;
/** Between a death and the next start: it doubles with each start that fails, for the cause may last (a full disk). */
const RESTART_PAUSE_MS = { first: 200, longest: 5_000 } as const;
/** How often it is looked whether a server that somebody else started still lives. */
const LOOK_EVERY_MS = 1_000;

/** A private Postgres that answers. Made by `startEmbeddedPostgres`. */
export class EmbeddedPostgres {
  private readonly over = new AbortController();
  private restarting: Promise<void> = Promise.resolve();
  /** By a clock that nobody sets; null: it runs. */
  private goneSince: number | null = null;

  private constructor(
    private readonly settings: ServerSettings,
    private readonly log: Logger,
    private running: Running,
  ) {
    this.watch();
  }

  static async start(settings: ServerSettings, log: Logger): Promise<EmbeddedPostgres> {
    const running = await bringUp(settings, log);
    const { pid } = running.postmaster;
    log.info({ pid, attached: running.child === null }, 'embedded Postgres is up');
    return new EmbeddedPostgres(settings, log, running);
  }

  /** URL of one of its databases, for superuser `casefile`. */
  url(database: string): string {
    const { socketDir, port } = this.running.postmaster;
    return serverUrl(socketDir, port, database);
  }

  /** The server's process; another one after a crash. */
  get pid(): number {
    return this.running.postmaster.pid;
  }

  /** For how long it has not been running, in milliseconds; 0 while it runs. */
  goneForMs(): number {
    return this.goneSince === null ? 0 : performance.now() - this.goneSince;
  }

  /** false: it was running before us. */
  get startedHere(): boolean {
    return this.running.child !== null;
  }

  /**
   * Stops the server in order and returns when it is gone. One that ran before us stays while anybody else is
   * connected: its launcher may be at work, or was killed and has left nobody who would stop it.
   */
  async stop(): Promise<void> {
    this.over.abort();
    await this.restarting;
    if (!this.startedHere && (await this.isInUse())) return;
    for (const { signal, patienceMs } of STOP_STEPS) {
      if (await this.endedAfter(signal, patienceMs)) return;
      this.log.warn({ pid: this.pid, signal }, 'embedded Postgres does not stop');
    }
  }

  private get stopping(): boolean {
    return this.over.signal.aborted;
  }

  private async isInUse(): Promise<boolean> {
    const { socketDir, port } = this.running.postmaster;
    const at = { socket: socketFile(socketDir, port), user: SUPERUSER, database: 'postgres' };
    try {
      const [others = '0'] = await simpleQuery(at, OTHER_CLIENTS);
      return Number(others) > 0;
    } catch (error) {
      this.log.warn({ err: asCasefileError(error) }, 'embedded Postgres does not say who uses it');
      return await isRunning(this.pid);
    }
  }

  private async endedAfter(signal: NodeJS.Signals, patienceMs: number): Promise<boolean> {
    if (!(await isRunning(this.pid))) return true;
    process.kill(this.pid, signal);
    for (const started = Date.now(); Date.now() - started < patienceMs; await sleep(10)) {
      if (!(await isRunning(this.pid))) return true;
    }
    return false;
  }

  private watch(): void {
    const { child } = this.running;
    const died = (): void => void (this.restarting = this.restart());
    if (child === null) void this.watchAttached(died);
    else if (child.exitCode !== null || child.signalCode !== null) died();
    else child.once('exit', died);
  }

  // A server that is no child of ours tells nobody when it dies.
  private async watchAttached(died: () => void): Promise<void> {
    while (!this.stopping && (await isRunning(this.pid))) await this.pause(LOOK_EVERY_MS);
    if (!this.stopping) died();
  }

  /** Starts it again, for as long as this process lives and it takes. */
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

  /** Waits, at most until it is to stop; does not keep the process alive. */
  private async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.over.signal, ref: false }).catch(
      () => this.over.signal.aborted,
    );
  }
}
