import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { childEnvironment } from '@casefile/runtime';
import type { Moment } from './programs.js';
import { MARK, processesOf, type RunningProcess } from './processes-of.js';

const ROOT = join(fileURLToPath(import.meta.url), '../../../../..');
const SERVICES = ['CONSOLE', 'INGEST', 'EVIDENCE_COLLECTOR', 'REASONER', 'CRITIC_WRITER', 'DECISION'];
/** Timeout for a program that hangs. */
const REACHED_WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 50;
/** Duration of a model answer: slow enough to wait for it, and quick enough to cause load. */
const MODEL_MS = { idle: 6_000, load: 300, start: 300 } as const;

/** One program with a separate data folder, model and mark. */
export class RunningProgram {
  private output = '';
  private readonly ended: Promise<number>;
  private isOver = false;

  private constructor(
    private readonly mark: string,
    private readonly dir: string,
    readonly child: ChildProcess,
    private readonly model: Simulator,
  ) {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString())).on('error', () => undefined);
    this.ended = new Promise((resolve) =>
      child.once('exit', (code, signal) => {
        this.isOver = true;
        resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']);
      }),
    );
  }

  /** @param more Additional variables, which replace others of the same name. */
  static async start(
    command: string[],
    dir: string,
    moment: Moment,
    more: Record<string, string> = {},
  ): Promise<RunningProgram> {
    const mark = dir.slice(dir.lastIndexOf('-') + 1);
    const model = await startSimulator({ script: { delayMs: MODEL_MS[moment], then: { kind: 'rules' } } });
    const env = childEnvironment({
      ...Object.fromEntries(SERVICES.map((name) => [`${name}_PORT`, '0'])),
      [MARK]: mark,
      CASEFILE_DATA: join(dir, 'data'),
      CASEFILE_SAMPLES: 'off',
      DATABASE_URL: '',
      QUEUE_URL: '',
      LLM_PROVIDER: 'simulator',
      LLM_BASE_URL: model.baseUrl,
      RDAP_BASE_URL: 'off',
      NODE_OPTIONS: '',
      ...more,
    });
    const [program = '', ...args] = command;
    const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    return new RunningProgram(mark, dir, child, model);
  }

  /** Its output so far. */
  get written(): string {
    return this.output;
  }

  /** Waits until its output matches. @throws Error if the program ends first. */
  async untilOutput(pattern: RegExp): Promise<RegExpExecArray> {
    return this.until(`writes ${pattern.source}`, () => pattern.exec(this.output));
  }

  /** Waits until it has started a process whose command line matches. */
  async hasChild(pattern: RegExp): Promise<void> {
    await this.until(`starts ${pattern.source}`, () =>
      this.processes.some(({ command }) => pattern.test(command)) ? true : null,
    );
  }

  /** Waits until the program has called its model. */
  async untilModelCalled(): Promise<void> {
    await this.until('asks a model', () => (this.model.requests().length > 0 ? true : null));
  }

  /** Waits until a list of its console is empty. */
  async untilEmpty(url: string, everyMs: number): Promise<void> {
    for (let items = 1; items > 0; await sleep(everyMs)) {
      if (this.isOver) throw new Error(`the program ended: ${this.output.slice(-1_000)}`);
      const response = await fetch(url);
      items = ((await response.json()) as { cases: unknown[] }).cases.length;
    }
  }

  /** @returns its exit code, or 128 + the number of the signal that ended it; null: it is still running. */
  async exitCode(withinMs: number): Promise<number | null> {
    return Promise.race([this.ended, sleep(withinMs, null, { ref: false })]);
  }

  /** The program's current processes, with all that they started. */
  get processes(): RunningProcess[] {
    return processesOf(this.mark, this.dir);
  }

  /** Waits until none of its processes is left, or the time is over. @returns the processes that are left. */
  async leftAfter(withinMs: number): Promise<RunningProcess[]> {
    let leftovers = this.processes;
    for (
      const from = Date.now();
      leftovers.length > 0 && Date.now() - from < withinMs;
      leftovers = this.processes
    )
      await sleep(LOOK_EVERY_MS);
    return leftovers;
  }

  /** Kills all processes that are left. */
  async clear(): Promise<void> {
    for (const { pid } of this.processes) kill(pid);
    await this.model.close();
  }

  private async until<T>(what: string, look: () => T | null): Promise<T> {
    for (const from = Date.now(); ; await sleep(LOOK_EVERY_MS)) {
      const result = look();
      if (result !== null) return result;
      if (this.isOver || Date.now() - from > REACHED_WITHIN_MS)
        throw new Error(`the program ended, or hangs, before it ${what}: ${this.output.slice(-1_000)}`);
    }
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
