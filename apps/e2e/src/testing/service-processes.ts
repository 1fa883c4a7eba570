import { spawn, type ChildProcess } from 'node:child_process';
import { openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '@casefile/contracts/testing';
import { freePort } from '@casefile/embedded/testing';
import { childEnvironment, type ServiceName } from '@casefile/runtime';
import { WHOLE_SYSTEM_MS } from './whole-system-limit.js';

const ROOT = join(fileURLToPath(import.meta.url), '../../../../..');
/** Message of a stop that took longer than a process gives itself, because work was under way. */
const LATE_STOP = /had not stopped after \d+ s \(still open: work under way\)/;
/** Characters of the log that an error shows. */
const LOG_END = 3_000;

export interface ProcessSettings {
  databaseUrl: string;
  queueUrl: string;
  /** Environment of the services in addition to their database and queue. */
  env?: Record<string, string>;
  /** Further variables of a service that has a process of its own. Default: none. */
  envOf?: (service: ServiceName) => Record<string, string>;
  /** Folder of a version that is built there. Default: this one. */
  root?: string;
  /** Options of Node itself. */
  execArgv?: string[];
  /** Log file of the services. */
  logFile: string;
}

/** An operating-system process that hosts one service or several, and can be started again after its end. */
class HostProcess {
  private child: ChildProcess | null = null;
  private over = false;

  constructor(
    private readonly program: readonly string[],
    private readonly own: Readonly<Record<string, string>>,
    private readonly settings: ProcessSettings,
  ) {}

  get pid(): number | undefined {
    return this.child?.pid;
  }

  get exitCode(): number | null {
    return this.child?.exitCode ?? null;
  }

  get isRunning(): boolean {
    return this.child?.exitCode === null && this.child.signalCode === null;
  }

  /** Starts it without waiting. Does nothing while it runs, and after `end`. */
  spawn(): void {
    if (this.over || this.isRunning) return;
    const { databaseUrl, queueUrl, env, execArgv = [], root = ROOT, logFile } = this.settings;
    const log = openSync(logFile, 'a');
    const base = {
      DATABASE_URL: databaseUrl,
      QUEUE_URL: queueUrl,
      LOG_LEVEL: 'info',
      LLM_PROVIDER: 'none',
      RDAP_BASE_URL: 'off',
      HOST: '127.0.0.1',
    };
    const [main, ...args] = this.program;
    this.child = spawn(process.execPath, [...execArgv, join(root, main!), ...args], {
      env: childEnvironment({ ...base, ...env, ...this.own, NODE_OPTIONS: '' }),
      // The closed channel shows that the launcher has ended.
      stdio: ['ignore', log, log, 'ipc'],
    });
  }

  signal(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    if (child === null || !this.isRunning) return Promise.resolve(this.exitCode);
    const gone = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    child.kill(signal);
    return gone;
  }

  async end(): Promise<void> {
    this.over = true;
    await this.signal('SIGKILL');
  }
}

/** One service in a process, which can be killed and started again. Other services may be in the same process. */
export class ServiceProcess {
  constructor(
    readonly name: ServiceName,
    readonly port: number,
    private readonly host: HostProcess,
    private readonly logFile: string,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number | undefined {
    return this.host.pid;
  }

  /** null: it runs, was killed by a signal, or was not started. */
  get exitCode(): number | null {
    return this.host.exitCode;
  }

  /** Starts the process and waits until the service reports ready. */
  async start(): Promise<void> {
    this.spawn();
    await this.ready();
  }

  /** Starts the process without waiting; does nothing after `end`. */
  spawn(): void {
    this.host.spawn();
  }

  async ready(): Promise<void> {
    const logEnd = () => `the end of the log:\n${readFileSync(this.logFile, 'utf8').slice(-LOG_END)}\n`;
    const isReady = async () => {
      if (!this.host.isRunning) throw new Error(`${this.name} ended as it started; ${logEnd()}`);
      return (await fetch(`${this.url}/health/ready`).catch(() => null))?.ok === true;
    };
    await until(() => `${logEnd()}${this.name} is ready`, isReady, 50, WHOLE_SYSTEM_MS);
  }

  /** Sends a signal to the process; `SIGKILL` acts as a crash. Resolves when the process is gone. */
  signal(signal: NodeJS.Signals): Promise<number | null> {
    return this.host.signal(signal);
  }

  /**
   * Stops it in order. Returns how it failed; null: it ended with code 0, or work under way took longer than a stop
   * gives itself, as on a busy machine.
   * @param killAfterMs Time after which it is killed.
   */
  async stopFailure(killAfterMs: number): Promise<string | null> {
    const { size } = statSync(this.logFile);
    const late = setTimeout(() => void this.signal('SIGKILL'), killAfterMs);
    const code = await this.signal('SIGTERM');
    clearTimeout(late);
    if (code === 0) return null;
    const said = readFileSync(this.logFile).subarray(size).toString();
    if (code === 1 && LATE_STOP.test(said)) return null;
    return `${this.name}: ${code === null ? 'killed' : `exit code ${code}`}`;
  }

  /** Kills the process permanently: a later `spawn` does nothing. */
  async end(): Promise<void> {
    await this.host.end();
  }
}

const portVariable = (name: ServiceName): string => `${name.toUpperCase().replaceAll('-', '_')}_PORT`;

/** Prepares a process for each of these services on free ports, as in production, without starting them. */
export async function serviceProcesses(
  names: ServiceName[],
  settings: ProcessSettings,
): Promise<ServiceProcess[]> {
  const processes: ServiceProcess[] = [];
  for (const name of names) {
    const port = await freePort();
    const host = new HostProcess(
      [`apps/${name}/dist/main.js`],
      { [portVariable(name)]: String(port), ...settings.envOf?.(name) },
      settings,
    );
    processes.push(new ServiceProcess(name, port, host, settings.logFile));
  }
  return processes;
}

const ALL = ['ingest', 'evidence-collector', 'reasoner', 'critic-writer', 'decision', 'console'] as const;

/** Prepares one process that hosts all services (`casefile up`), without starting it. */
export async function servicesInOneProcess(settings: ProcessSettings): Promise<ServiceProcess[]> {
  const ports: [ServiceName, number][] = [];
  for (const name of ALL) ports.push([name, await freePort()]);
  const host = new HostProcess(
    ['apps/cli/dist/main.js', 'up', '--no-samples', '--json'],
    Object.fromEntries(ports.map(([name, port]) => [portVariable(name), String(port)])),
    settings,
  );
  return ports.map(([name, port]) => new ServiceProcess(name, port, host, settings.logFile));
}
