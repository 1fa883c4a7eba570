import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface ProcessOptions {
  name: string;
  /** The script that node runs. */
  script: string;
  env: Record<string, string | undefined>;
  /** Takes each line it writes, on either stream. */
  line(text: string): void;
  /** Told when it died though nobody stopped it. */
  died(how: string, againInMs: number): void;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** One that lived longer than this starts again with the first pause. */
const LIVED_WELL_MS = 30_000;
/** Longer than a service takes for its ordered stop. */
const KILL_AFTER_MS = 25_000;

/** A child process that is started again, each time after a longer pause, until it is stopped. */
export class SupervisedProcess {
  private child: ChildProcess | null = null;
  private timer: NodeJS.Timeout | null = null;
  private pauseMs = FIRST_PAUSE_MS;
  private stopping = false;

  constructor(private readonly options: ProcessOptions) {}

  get pid(): number | undefined {
    return this.child?.pid;
  }

  start(): void {
    const { script, env, line } = this.options;
    const startedAt = Date.now();
    // A group of its own: Ctrl-C in a terminal reaches us alone, and we stop them in order. By the end of the channel a
    // service learns that we are gone, however we ended.
    const child = spawn(process.execPath, [script], {
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) linesOf(stream, line);
    child.once('error', (error) => line(error.message));
    child.once('close', (code, signal) => this.ended(signal ?? `exit code ${code}`, Date.now() - startedAt));
  }

  /** SIGTERM, and SIGKILL when that does not end it. */
  async stop(): Promise<void> {
    this.stopping = true;
    if (this.timer !== null) clearTimeout(this.timer);
    const { child } = this;
    if (child === null || !isAlive(child)) return;
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
    await closed;
    clearTimeout(timer);
  }

  /** At once and without waiting: for the last moment of the parent. */
  kill(): void {
    this.stopping = true;
    if (this.child !== null && isAlive(this.child)) this.child.kill('SIGKILL');
  }

  private ended(how: string, livedMs: number): void {
    if (this.stopping) return;
    if (livedMs > LIVED_WELL_MS) this.pauseMs = FIRST_PAUSE_MS;
    this.options.died(how, this.pauseMs);
    this.timer = setTimeout(() => this.start(), this.pauseMs);
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

function linesOf(stream: Readable | null, line: (text: string) => void): void {
  if (stream !== null) createInterface({ input: stream }).on('line', line);
}
