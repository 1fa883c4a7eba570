import { guarded } from '@casefile/contracts';
import { StreamableHTTPClientTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { LineLimit, whyNot, type LineBounds } from './line-limit.js';
import { MessageGate } from './message-gate.js';
import { answersNothing } from './stdio-transport.js';

/** A server that is reached over streamable HTTP. */
export interface HttpServer {
  url: string;
  headers: Readonly<Record<string, string>>;
}

type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

const NEWLINE = Buffer.from('\n');

/** Streamable HTTP whose answers are limited while they come in; redirects stay within the origin. */
export class HttpTransport extends StreamableHTTPClientTransport {
  /** @param broke Receives what a callback throws: these are called from streams, where nothing would catch it. */
  constructor(
    { url, headers }: HttpServer,
    bounds: LineBounds,
    private readonly broke: (error: unknown) => void,
    private readonly gate = new MessageGate(),
  ) {
    super(new URL(url), {
      requestInit: { headers: { ...headers } },
      fetch: async (at, init) => bounded(await fetch(at, init), bounds, gate),
      // A new session is opened instead: the library's own tries go on after a call was given up.
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 1_000,
        reconnectionDelayGrowFactor: 1,
      },
    });
  }

  /** Sends a message. A request whose stream of events ends without its answer fails then, and not at its timeout. */
  override async send(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
    const id = this.gate.sent(message);
    if (id === null) return super.send(message, options);
    const onRequestStreamEnd = guarded(() => {
      options?.onRequestStreamEnd?.();
      const answer = this.gate.ended(id);
      if (answer !== null) this.onmessage?.(answer);
    }, this.broke);
    return super.send(message, { ...options, onRequestStreamEnd });
  }
}

function bounded(response: Response, bounds: LineBounds, gate: MessageGate): Response {
  const type = response.headers.get('content-type') ?? '';
  if (response.body === null) return response;
  const events = type.startsWith('text/event-stream');
  const body = response.body.pipeThrough(limitLines(bounds, events, gate));
  const { status, statusText, headers } = response;
  const copy = new Response(body, { status, statusText, headers });
  // What a redirect is judged by.
  Object.defineProperty(copy, 'url', { value: response.url });
  return copy;
}

// A body of JSON counts as one line. Of events each line is one, and the lines of an event share its limits.
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
