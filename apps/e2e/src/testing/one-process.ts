import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '@casefile/contracts/testing';
import { freePort } from '@casefile/embedded/testing';
import { childEnvironment } from '@casefile/runtime';
import { WHOLE_SYSTEM_MS } from './whole-system-limit.js';

const CLI = fileURLToPath(new URL('../../../cli/dist/main.js', import.meta.url));
const PORTS = ['EVIDENCE_COLLECTOR', 'REASONER', 'CRITIC_WRITER', 'DECISION'];

/** All services in one process (`casefile up`), which can be killed and started again. */
export class OneProcess {
  private child: ChildProcess | null = null;

  private constructor(
    private readonly folder: string,
    private readonly ports: { ingest: number; console: number },
    private readonly env: NodeJS.ProcessEnv,
    private readonly execArgv: string[],
  ) {}

  /** Prepares it on free ports, without starting it. Its log is the file `log` in the folder. */
  static async prepare(folder: string, env: NodeJS.ProcessEnv, execArgv: string[] = []): Promise<OneProcess> {
    const ports = { ingest: await freePort(), console: await freePort() };
    return new OneProcess(folder, ports, env, execArgv);
  }

  get ingestUrl(): string {
    return `http://127.0.0.1:${this.ports.ingest}`;
  }

  get consoleUrl(): string {
    return `http://127.0.0.1:${this.ports.console}`;
  }

  /** Starts it and waits until it accepts alerts. */
  async start(): Promise<void> {
    const log = openSync(join(this.folder, 'log'), 'a');
    const env = {
      ...Object.fromEntries(PORTS.map((name) => [`${name}_PORT`, '0'])),
      ...this.env,
      INGEST_PORT: String(this.ports.ingest),
      CONSOLE_PORT: String(this.ports.console),
      NODE_OPTIONS: '',
      RDAP_BASE_URL: 'off',
    };
    this.child = spawn(process.execPath, [...this.execArgv, CLI, 'up', '--no-samples', '--json'], {
      env: childEnvironment(env),
      stdio: ['ignore', log, log],
    });
    const isReady = () =>
      fetch(`${this.ingestUrl}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until('Casefile is up', isReady, 20, WHOLE_SYSTEM_MS);
  }

  /** Kills it with -9. Resolves when the process is gone. */
  async kill(): Promise<void> {
    const { child } = this;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}
