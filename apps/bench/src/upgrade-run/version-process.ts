import { spawn, type ChildProcess } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@casefile/embedded/testing';
import { childEnvironment } from '@casefile/runtime';

/** Timeout for a start that hangs. On a busy machine a start with an empty record takes a minute. */
const READY_WITHIN_MS = 300_000;
const SERVICES = ['CONSOLE', 'INGEST', 'EVIDENCE_COLLECTOR', 'REASONER', 'CRITIC_WRITER', 'DECISION'];

/** `npm start` of one version of Casefile, without the installation: one process with its embedded Postgres. */
export class VersionProcess {
  private constructor(
    readonly consoleUrl: string,
    readonly ingestUrl: string,
    private readonly child: ChildProcess,
    private readonly logFile: string,
  ) {}

  /** Starts the version that is built in `folder`. Resolves when its console and its intake are ready. */
  static async start(
    folder: string,
    settings: { env: Record<string, string>; logFile: string; started(process: VersionProcess): void },
  ): Promise<VersionProcess> {
    const ports = new Map<string, number>();
    for (const name of SERVICES) ports.set(name, await freePort());
    const own = Object.fromEntries([...ports].map(([name, port]) => [`${name}_PORT`, String(port)]));
    const log = openSync(settings.logFile, 'a');
    const child = spawn(process.execPath, [join(folder, 'apps/cli/dist/main.js'), 'up'], {
      cwd: folder,
      env: childEnvironment({ ...settings.env, ...own, HOST: '127.0.0.1', NODE_OPTIONS: '' }),
      stdio: ['ignore', log, log],
      // Uses a separate process group, so that `end` reaches the processes that it started.
      detached: true,
    });
    const url = (name: string): string => `http://127.0.0.1:${ports.get(name)}`;
    const version = new VersionProcess(url('CONSOLE'), url('INGEST'), child, settings.logFile);
    settings.started(version);
    await version.ready();
    return version;
  }

  private async ready(): Promise<void> {
    for (const until = Date.now() + READY_WITHIN_MS; this.isRunning(); await pause(200)) {
      if ((await isReady(this.consoleUrl)) && (await isReady(this.ingestUrl))) return;
      if (Date.now() > until) throw new Error(`not ready within ${READY_WITHIN_MS} ms; log: ${this.logFile}`);
    }
    throw new Error(`the process ended during its start with ${this.child.exitCode}; log: ${this.logFile}`);
  }

  /** Sends a signal to the process alone. Resolves with its exit code when it has ended. */
  signal(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    if (!this.isRunning()) return Promise.resolve(child.exitCode);
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill(signal);
    return ended;
  }

  /** Kills the process and everything in its process group. */
  async end(): Promise<void> {
    const ended = this.signal('SIGKILL');
    if (this.child.pid !== undefined) killGroup(this.child.pid);
    await ended;
  }

  private isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // No process of the group is left.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/health/ready`).catch(() => null);
  return response?.ok === true;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
