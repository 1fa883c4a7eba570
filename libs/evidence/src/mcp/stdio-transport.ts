import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { guardCallback } from '@casefile/contracts';
import {
  deserializeMessage,
  serializeMessage,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { LineLimit, type LineBounds, type RefusedLine } from './line-limit.js';
import { MessageGate } from './message-gate.js';

/** A server that is started as a child process and communicates over its standard input and output. */
export interface StdioServer {
  command: string;
  args: readonly string[];
  /** The complete environment of the process: nothing is added, not even `PATH`. */
  env: Readonly<Record<string, string>>;
  cwd?: string;
}

const STDERR_KEPT = 2_000;
const GRACE_MS = 1_000;

/**
 * MCP over the standard streams of a process. It replaces the library's transport, which adds six variables
 * to the environment and closes the connection at the first message over 10 MiB.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  private readonly gate = new MessageGate();
  private child: ChildProcess | null = null;
  private stderr = '';

  /** @param broke Receives errors of callbacks: events call them, where no caller would catch an error. */
  constructor(
    private readonly server: StdioServer,
    private readonly bounds: LineBounds,
    private readonly broke: (error: unknown) => void,
  ) {}

  /** The last output on standard error. */
  get lastWords(): string {
    return this.stderr.trim().split('\n').slice(-3).join(' | ');
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.server;
    const { broke } = this;
    const child = spawn(command, [...args], { env: { ...env }, cwd, stdio: 'pipe', shell: false });
    this.child = child;
    const failed = guardCallback((error: Error) => this.onerror?.(error), broke);
    child.on('error', failed);
    child.on(
      'close',
      guardCallback(() => this.closed(), broke),
    );
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', failed);
    child.stderr.on('data', (text: Buffer) => {
      this.stderr = (this.stderr + text.toString()).slice(-STDERR_KEPT);
    });
    const lines = new LineLimit(
      this.bounds,
      (line, counts) => {
        const refused = this.gate.check(line, counts);
        if (refused === null) this.take(line.toString());
        else this.refuse(refused);
      },
      (line) => this.refuse(line),
    );
    child.stdout.on(
      'data',
      guardCallback((chunk: Buffer) => lines.push(chunk), broke),
    );
    await once(child, 'spawn').catch((error: NodeJS.ErrnoException) => {
      this.child = null;
      if (error.code !== 'ENOENT') throw error;
      const hint = 'it has exactly the environment of "env": PATH is often wanted there, as "${PATH}"';
      throw new Error(`the command ${command} was not found (${hint})`);
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.child?.stdin;
    if (stdin === null || stdin === undefined || stdin.destroyed) throw new Error('the server has ended');
    this.gate.sent(message);
    if (!stdin.write(serializeMessage(message)))
      await Promise.race([once(stdin, 'drain'), once(stdin, 'close')]);
  }

  /** Ends the process: first by the end of its input, then by SIGTERM, then by SIGKILL, one second apart. */
  async close(): Promise<void> {
    const { child } = this;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return this.closed();
    const exited = once(child, 'exit').catch(() => undefined);
    child.stdin?.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const first = await Promise.race([exited, sleep(GRACE_MS, 'late', { ref: false })]);
      if (first !== 'late') break;
      child.kill(signal);
    }
    await exited;
    this.closed();
  }

  private take(line: string): void {
    // Servers also print other lines, especially when they start.
    if (!line.trimStart().startsWith('{')) return;
    try {
      this.onmessage?.(deserializeMessage(line));
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }

  private refuse(line: RefusedLine): void {
    const answer = this.gate.inPlaceOf(line);
    if (answer !== null) return this.onmessage?.(answer);
    this.onerror?.(new Error(answersNothing(line)));
    this.close().catch(this.broke);
  }

  private closed(): void {
    if (this.child === null) return;
    this.child = null;
    this.onclose?.();
  }
}

/** The message about a refused line that answers no known request. */
export function answersNothing({ bytes, why }: Pick<RefusedLine, 'bytes' | 'why'>): string {
  return `a message of ${bytes} bytes that answers nothing was refused: ${why}`;
}
