import { spawn, type ChildProcess } from 'node:child_process';
import { openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@casefile/embedded/testing';
import { childEnvironment, type ServiceName } from '@casefile/runtime';

const ROOT = join(fileURLToPath(import.meta.url), '../../../../..');
/**
 * Timeout for a start that hangs: on a busy machine one process takes half a minute, and several take
 * minutes.
 */
const READY_WITHIN_MS = 300_000;
/** Message of a stop that took longer than a process gives itself, because work was under way. */
const LATE_STOP = /had not stopped after \d+ s \(still open: work under way\)/;
/** Characters of the log that an error shows. */
const LOG_END = 3_000;

export interface ProcessSettings {
  databaseUrl: string;
  queueUrl: string;
  /** Environment of the services in addition to their database and queue. */
  env?: Record<string, string>;
  /** Folder of a version that is built there. Default: this one. */
  root?: string;
  /** Options of Node itself. */
  execArgv?: string[];
  /** Log file of the services. */
  logFile: string;
}

/** One service as a separate process, as in production. It can be killed and started again. */
export class ServiceProcess {
  private child: ChildProcess | null = null;
  private over = false;

  constructor(
    readonly name: ServiceName,
    readonly port: number,
    private readonly settings: ProcessSettings,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Starts the process and waits until it reports ready. */
  async start(): Promise<void> {
    this.spawn();
    await this.ready();
  }

  /** Starts it without waiting; does nothing after `end`. */
  spawn(): void {
    if (this.over) return;
    const { databaseUrl, queueUrl, env, execArgv = [], root = ROOT, logFile } = this.settings;
    const log = openSync(logFile, 'a');
    const port = { [`${this.name.toUpperCase().replaceAll('-', '_')}_PORT`]: String(this.port) };
    const base = {
      DATABASE_URL: databaseUrl,
      QUEUE_URL: queueUrl,
      LOG_LEVEL: 'info',
      LLM_PROVIDER: 'none',
      RDAP_BASE_URL: 'off',
      HOST: '127.0.0.1',
    };
    this.child = spawn(process.execPath, [...execArgv, join(root, 'apps', this.name, 'dist/main.js')], {
      env: childEnvironment({ ...base, ...env, ...port, NODE_OPTIONS: '' }),
      // The closed channel shows that the launcher has ended.
      stdio: ['ignore', log, log, 'ipc'],
    });
  }

  async ready(): Promise<void> {
    const until = Date.now() + READY_WITHIN_MS;
    while (Date.now() < until && this.isRunning()) {
      const answer = await fetch(`${this.url}/health/ready`).catch(() => null);
      if (answer?.ok === true) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const what = this.isRunning() ? `was not ready within ${READY_WITHIN_MS} ms` : 'ended as it started';
    const log = readFileSync(this.settings.logFile, 'utf8').slice(-LOG_END);
    throw new Error(`${this.name} ${what}; the end of the log:\n${log}`);
  }

  private isRunning(): boolean {
    return this.child?.exitCode === null && this.child.signalCode === null;
  }

  /** Sends a signal; `SIGKILL` acts as a crash. Resolves when the process is gone. */
  signal(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    if (child === null || !this.isRunning()) return Promise.resolve(child?.exitCode ?? null);
    const gone = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    child.kill(signal);
    return gone;
  }

  /**
   * Stops it in order. Returns how it failed; null: it ended with code 0, or work under way took longer than a stop
   * gives itself, as on a busy machine.
   * @param killAfterMs Time after which it is killed.
   */
  async stopFailure(killAfterMs: number): Promise<string | null> {
    const { logFile } = this.settings;
    const { size } = statSync(logFile);
    const late = setTimeout(() => void this.signal('SIGKILL'), killAfterMs);
    const code = await this.signal('SIGTERM');
    clearTimeout(late);
    if (code === 0) return null;
    const said = readFileSync(logFile).subarray(size).toString();
    if (code === 1 && LATE_STOP.test(said)) return null;
    return `${this.name}: ${code === null ? 'killed' : `exit code ${code}`}`;
  }

  /** Kills it permanently: a later `spawn` does nothing. */
  async end(): Promise<void> {
    this.over = true;
    await this.signal('SIGKILL');
  }
}

/** Prepares processes of these services on free ports, without starting them. */
export async function serviceProcesses(
  names: ServiceName[],
  settings: ProcessSettings,
): Promise<ServiceProcess[]> {
  const processes: ServiceProcess[] = [];
  for (const name of names) processes.push(new ServiceProcess(name, await freePort(), settings));
  return processes;
}
