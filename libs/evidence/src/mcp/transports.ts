import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  deserializeMessage,
  serializeMessage,
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { inPlaceOf, LineLimit, type LongLine } from './line-limit.js';

/** A server that is started here, and speaks over its standard input and output. */
export interface StdioServer {
  command: string;
  args: readonly string[];
  /** Exactly its environment: nothing of ours is added, `PATH` included. */
  env: Readonly<Record<string, string>>;
  cwd?: string;
}

/** A server that is reached over streamable HTTP. */
export interface HttpServer {
  url: string;
  headers: Readonly<Record<string, string>>;
}

const STDERR_KEPT = 2_000;
const GRACE_MS = 1_000;
const NEWLINE = Buffer.from('\n');

/**
 * MCP over the standard streams of a process. In place of the library's own, which adds six variables to the environment
 * and closes the connection at the first message over 10 MiB.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  private child: ChildProcess | null = null;
  private stderr = '';

  constructor(
    private readonly server: StdioServer,
    private readonly maxMessageBytes: number,
  ) {}

  /** The end of what it wrote on its standard error. */
  get lastWords(): string {
    return this.stderr.trim().split('\n').slice(-3).join(' | ');
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.server;
    const child = spawn(command, [...args], { env: { ...env }, cwd, stdio: 'pipe', shell: false });
    this.child = child;
    child.on('error', (error) => this.onerror?.(error));
    child.on('close', () => this.closed());
    for (const stream of [child.stdin, child.stdout, child.stderr])
      stream.on('error', (error) => this.onerror?.(error));
    child.stderr.on('data', (text: Buffer) => {
      this.stderr = (this.stderr + text.toString()).slice(-STDERR_KEPT);
    });
    const lines = new LineLimit(
      this.maxMessageBytes,
      (line) => this.take(line.toString()),
      (line) => this.takeLong(line),
    );
    child.stdout.on('data', (chunk: Buffer) => lines.push(chunk));
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
    if (!stdin.write(serializeMessage(message)))
      await Promise.race([once(stdin, 'drain'), once(stdin, 'close')]);
  }

  /** Ends the process: by the end of its input, then by SIGTERM, then by SIGKILL, a second apart. */
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
    // Servers print other things too, above all when they start.
    if (!line.trimStart().startsWith('{')) return;
    try {
      this.onmessage?.(deserializeMessage(line));
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }

  private takeLong(line: LongLine): void {
    const answer = inPlaceOf(line);
    if (answer !== null) return this.onmessage?.(answer);
    this.onerror?.(new Error(`a message of ${line.bytes} bytes that answers nothing`));
    void this.close();
  }

  private closed(): void {
    if (this.child === null) return;
    this.child = null;
    this.onclose?.();
  }
}

/** Streamable HTTP whose answers are held to a length while they come in; redirects stay within the origin. */
export function httpTransport({ url, headers }: HttpServer, maxMessageBytes: number): Transport {
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: async (at, init) => bounded(await fetch(at, init), maxMessageBytes),
    // A new session is opened instead: the library's own tries go on after a call was given up.
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
    },
  });
}

function bounded(response: Response, max: number): Response {
  const type = response.headers.get('content-type') ?? '';
  if (response.body === null) return response;
  const events = type.startsWith('text/event-stream');
  const body = response.body.pipeThrough(limitLines(max, events));
  const { status, statusText, headers } = response;
  const copy = new Response(body, { status, statusText, headers });
  // What a redirect is judged by.
  Object.defineProperty(copy, 'url', { value: response.url });
  return copy;
}

// A body of JSON counts as one line; of events each line is one, and all lines of an event together are held to the limit too.
function limitLines(max: number, events: boolean): TransformStream<Uint8Array, Uint8Array> {
  let lines: LineLimit;
  let ofEvent = 0;
  return new TransformStream({
    start(to) {
      const put = (text: string | Buffer) => void to.enqueue(Buffer.concat([Buffer.from(text), NEWLINE]));
      const refuse = (bytes: number) =>
        to.error(new Error(`a message of ${bytes} bytes that answers nothing`));
      lines = new LineLimit(
        max,
        (line) => {
          ofEvent = line.length <= 1 ? 0 : ofEvent + line.length;
          if (events && ofEvent > max) refuse(ofEvent);
          else put(line);
        },
        (line) => {
          const answer = inPlaceOf(line);
          if (answer === null) refuse(line.bytes);
          else put(`${events ? 'data: ' : ''}${JSON.stringify(answer)}`);
        },
      );
    },
    transform(chunk) {
      if (events) lines.push(Buffer.from(chunk));
      else lines.append(Buffer.from(chunk));
    },
    flush: () => lines.end(),
  });
}
