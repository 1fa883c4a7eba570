import { guardCallback } from '@casefile/contracts';
import { StreamableHTTPClientTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { LineLimit, whyNot, type LineBounds } from './line-limit.js';
import { MessageGate } from './message-gate.js';
import { answersNothing } from './stdio-transport.js';

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
