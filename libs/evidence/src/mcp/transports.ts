import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { guardCallback } from '@casefile/contracts';
import {
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  deserializeMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { LineLimit, whyNot, type LineBounds, MessageGate, type RefusedLine } from './message-bounds.js';

/** A server reached over streamable HTTP. */
export interface HttpServer {
  url: string;
  headers: Readonly<Record<string, string>>;
}

type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

const NEWLINE = Buffer.from('\n');

/** Streamable HTTP transport that limits answers while they arrive. Redirects stay within the origin. */
export class HttpTransport extends StreamableHTTPClientTransport {
  /** @param broke Receives errors of callbacks: streams call them, where no caller would catch an error. */
  constructor(
    { url, headers }: HttpServer,
    bounds: LineBounds,
    private readonly broke: (error: unknown) => void,
    private readonly gate = new MessageGate(),
  ) {
    super(new URL(url), {
      requestInit: { headers: { ...headers } },
      fetch: async (at, init) => boundedResponse(await fetch(at, init), bounds, gate),
      // The library's own retries are off, because they continue after a call has failed. A new session is
      // opened instead.
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 1_000,
        reconnectionDelayGrowFactor: 1,
      },
    });
  }

  /**
   * Sends a message. If the event stream of a request ends without the answer, the request fails then, not at
   * its timeout.
   */
  override async send(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
    const id = this.gate.sent(message);
    if (id === null) return super.send(message, options);
    const onRequestStreamEnd = guardCallback(() => {
      options?.onRequestStreamEnd?.();
      const answer = this.gate.ended(id);
      if (answer !== null) this.onmessage?.(answer);
    }, this.broke);
    return super.send(message, { ...options, onRequestStreamEnd });
  }
}

function boundedResponse(response: Response, bounds: LineBounds, gate: MessageGate): Response {
  const type = response.headers.get('content-type') ?? '';
  if (response.body === null) return response;
  const events = type.startsWith('text/event-stream');
  const body = response.body.pipeThrough(limitLines(bounds, events, gate));
  const { status, statusText, headers } = response;
  const copy = new Response(body, { status, statusText, headers });
  // URL against which a redirect is checked.
  Object.defineProperty(copy, 'url', { value: response.url });
  return copy;
}

// A JSON body counts as one line. In an event stream each line counts, and the lines of an event share its
// limits.
function limitLines(
  bounds: LineBounds,
  events: boolean,
  gate: MessageGate,
): TransformStream<Uint8Array, Uint8Array> {
  let lines: LineLimit;
  let ofEvent = { bytes: 0, values: 0 };
  return new TransformStream({
    start(to) {
      const put = (text: string | Buffer) => void to.enqueue(Buffer.concat([Buffer.from(text), NEWLINE]));
      const refuse = (bytes: number, why: string) => to.error(new Error(answersNothing({ bytes, why })));
      const refuseLine: ConstructorParameters<typeof LineLimit>[2] = (line) => {
        const answer = gate.inPlaceOf(line);
        if (answer === null) refuse(line.bytes, line.why);
        else put(`${events ? 'data: ' : ''}${JSON.stringify(answer)}`);
      };
      lines = new LineLimit(
        bounds,
        (line, counts) => {
          const { bytes, values } = ofEvent;
          ofEvent =
            line.length <= 1
              ? { bytes: 0, values: 0 }
              : { bytes: bytes + line.length, values: values + counts.values };
          const why = events ? whyNot(ofEvent, bounds) : '';
          if (why !== '') return refuse(ofEvent.bytes, why);
          const refused = gate.check(line, counts);
          if (refused === null) put(line);
          else refuseLine(refused);
        },
        refuseLine,
      );
    },
    transform(chunk) {
      if (events) lines.push(Buffer.from(chunk));
      else lines.append(Buffer.from(chunk));
    },
    flush: () => lines.end(),
  });
}

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
function answersNothing({ bytes, why }: Pick<RefusedLine, 'bytes' | 'why'>): string {
  return `a message of ${bytes} bytes that answers nothing was refused: ${why}`;
}
