import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { CasefileError, silentLogger, sleep, type Logger } from '@casefile/contracts';
import {
  childEnvironment,
  claimPort,
  connect,
  openDatabase,
  probeConfigured,
  simulatorVariables,
  systemClock,
  type Config,
  type ServiceName,
} from '@casefile/runtime';
import { closeAtEnd } from '@casefile/runtime/process-end';
import { manyLines } from '@casefile/kit/output/escape';
import type { Terminal } from '../output/terminal.js';
import { SERVICES } from './services.js';
import type { Seed, System } from './system.js';
import { terminalLog } from './terminal-log.js';

/**
 * Limit for a start that hangs. Starting six processes concurrently takes up to a minute on a busy machine.
 */
const READY_WITHIN_MS = 300_000;
const LOOK_EVERY_MS = 100;
/** Longer than the ordered stop of a service takes. */
const KILL_AFTER_MS = 25_000;
/** Time for stopping all: first intake, then the others together, then the console. The database is closed last. */
const STOP_ALL_WITHIN_MS = 3 * KILL_AFTER_MS + 5_000;

/** Starts each service as its own process. This process holds the database that all of them use. */
export async function launchProcesses(config: Config, terminal: Terminal): Promise<System> {
  const ports = await claimPorts(config);
  const log: Logger = terminalLog(terminal);
  const database = await openDatabase(config, log);
  const fixed: Config = { ...config, ports, databaseUrl: database.url };
  const children = SERVICES.map(({ name }) => superviseService(name, fixed, terminal));
  let stopping: Promise<void> | null = null;
  const stop = (): Promise<void> => {
    forget();
    return (stopping ??= stopAll(children).finally(() => database.close()));
  };
  // Registered before the first process starts, so that an interrupted start stops the processes that have
  // started.
  const forget = closeAtEnd(stop, STOP_ALL_WITHIN_MS);
  process.once('exit', () => children.forEach((child) => child.kill()));
  try {
    for (const child of children) child.start();
    await Promise.all(SERVICES.map(({ name }) => untilReady(name, configUrl(fixed, name))));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    consoleUrl: configUrl(fixed, 'console'),
    ingestUrl: configUrl(fixed, 'ingest'),
    // Each process probes the models for itself. This process probes them to report the result.
    probes: probeConfigured(fixed, systemClock, silentLogger),
    seed: (seed) => seedKnowledge(fixed, seed),
    stopWithinMs: STOP_ALL_WITHIN_MS,
    stop,
  };
}

async function seedKnowledge(config: Config, seed: Seed): Promise<void> {
  const { adapters, close } = await connect(config, []);
  try {
    await adapters.knowledge.seed(seed);
  } finally {
    await close();
  }
}

function superviseService(name: ServiceName, config: Config, terminal: Terminal): SupervisedProcess {
  const env = childEnvironment({
    DATABASE_URL: config.databaseUrl ?? '',
    LOG_LEVEL: config.env.LOG_LEVEL,
    CASEFILE_CONFIG: config.files.join(','),
    ...simulatorVariables(config),
    [portVariable(name)]: String(config.ports[name]),
  });
  return new SupervisedProcess({
    name,
    script: fileURLToPath(import.meta.resolve(`@casefile/${name}/main`)),
    env,
    line: (text) => terminal.err(`[${name}] ${manyLines(text)}`),
    died: (how, againInMs) => terminal.err(`[${name}] ended (${how}), restarts in ${againInMs} ms`),
  });
}

// Intake stops first, so that no new work arrives. The console stops last, so that the stop can be watched.
async function stopAll(children: SupervisedProcess[]): Promise<void> {
  await children[0]?.stop();
  await Promise.all(children.slice(1, -1).map((child) => child.stop()));
  await children.at(-1)?.stop();
}

async function claimPorts({ ports, host }: Config): Promise<Config['ports']> {
  const claimed = { ...ports };
  for (const name of Object.keys(ports) as ServiceName[]) {
    claimed[name] = await claimPort(ports[name], host);
  }
  return claimed;
}

async function untilReady(name: string, url: string): Promise<void> {
  const until = Date.now() + READY_WITHIN_MS;
  while (!(await isReady(url))) {
    if (Date.now() > until)
      throw new CasefileError('not_ready', `${name} was not ready after ${READY_WITHIN_MS / 1000} s`);
    await sleep(LOOK_EVERY_MS);
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    // The service does not listen yet.
    return false;
  }
}

function configUrl({ host, ports }: Config, name: ServiceName): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${ports[name]}`;
}

function portVariable(name: ServiceName): string {
  return `${name.toUpperCase().replaceAll('-', '_')}_PORT`;
}

interface ProcessOptions {
  name: string;
  /** Path of the script to run with node. */
  script: string;
  env: Record<string, string | undefined>;
  /** Called with each line of output, from either stream. */
  line(text: string): void;
  /** Called if the process ended without a stop, with the delay before its restart. */
  died(how: string, againInMs: number): void;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** A process that ran longer than this restarts after the shortest delay. */
const LIVED_WELL_MS = 30_000;

/** A child process that is restarted until it is stopped. The delay grows with each restart. */
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
    // The child has its own process group: Ctrl-C in a terminal signals only the parent, which stops the
    // children in order. If the channel closes, the service knows that the parent is gone, whatever ended it.
    const child = spawn(process.execPath, [script], {
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr]) streamLines(stream, line);
    child.once('error', (error) => line(error.message));
    child.once('close', (code, signal) => this.ended(signal ?? `exit code ${code}`, Date.now() - startedAt));
  }

  /** Sends SIGTERM, and SIGKILL if the process does not end. */
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

  /** Kills the process immediately and without waiting, for the exit of the parent. */
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

function streamLines(stream: Readable | null, line: (text: string) => void): void {
  if (stream !== null) createInterface({ input: stream }).on('line', line);
}
