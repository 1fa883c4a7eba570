import { createParser } from 'eventsource-parser';
import { CasefileError, parseBounded } from '@casefile/contracts';
import type { Json } from '@casefile/contracts';
import type { ModelParts } from './provider.js';
import type { ProviderEntry } from './provider-entry.js';
import type { Answered } from './send-request.js';

/** A response as received, of any shape. */
export interface RawAnswer {
  status: number;
  headers: Pick<Headers, 'get'>;
  contentType: string;
  text: string;
  /**
   * Events of a streamed answer, as received. An event may end with half a character and the next begin with
   * the rest. null: the answer was not streamed.
   */
  events: Json[] | null;
  /** Whether the stream ended with an explicit end marker. */
  endMarked: boolean;
  /** Events that are not JSON, as received. */
  brokenEvents: string[];
  /** Why `text` is not complete. */
  incomplete: 'cut' | 'too_large' | null;
}

/** Enough of a failure to identify it. */
const FAILURE_BYTES = 65_536;

/**
 * Makes one HTTP exchange: the provider's SDK writes the request, and we read the raw response ourselves. So
 * any body can be recorded, and none can make the SDK fail. `send` must make exactly one call with the
 * supplied fetch. Redirects are not followed: an API that redirects is not the one that was configured.
 * @throws CasefileError `network`; `bad_request` if the SDK refuses to write the request.
 */
export async function exchange(
  entry: ProviderEntry,
  parts: ModelParts,
  call: { signal: AbortSignal; onEvent: (event: Json) => void },
  send: (ownFetch: typeof fetch) => Promise<unknown>,
): Promise<RawAnswer> {
  const seen: { answer?: RawAnswer; failure?: unknown } = {};
  const ownFetch: typeof fetch = async (input, init) => {
    try {
      const response = await parts.send(input, { ...init, redirect: 'manual' });
      seen.answer = await readResponse(response, entry.limits.responseBytes, call);
    } catch (thrown) {
      seen.failure = thrown;
      throw thrown;
    }
    // The SDK's result is ignored; this response has no body to read.
    return new Response(null, { status: 204 });
  };
  const sent = await send(ownFetch).then(
    () => null,
    (thrown: unknown) => ({ thrown }),
  );
  if (seen.answer !== undefined) return seen.answer;
  if ('failure' in seen) throw unreachable(entry, seen.failure);
  throw new CasefileError('bad_request', `The request could not be written: ${rootMessage(sent?.thrown)}`, {
    cause: sent?.thrown,
  });
}

async function readResponse(
  response: Answered,
  maxBytes: number,
  call: { signal: AbortSignal; onEvent: (event: Json) => void },
): Promise<RawAnswer> {
  const contentType = response.headers.get('content-type') ?? '';
  const ok = response.status >= 200 && response.status < 300;
  const streamed = ok && /event-stream/i.test(contentType);
  const brokenEvents: string[] = [];
  const events: Json[] = [];
  let endMarked = false;
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data.trim() === END) endMarked = true;
      const event = parsedEvent(data, brokenEvents);
      if (event === undefined) return;
      events.push(event);
      call.onEvent(event);
    },
  });
  const onText = streamed ? (text: string) => parser.feed(text) : () => undefined;
  const body = await readBody(response, ok ? maxBytes : FAILURE_BYTES, call.signal, onText);
  // The last event of a stream that ends without its empty line.
  if (streamed) parser.feed('\n\n');
  const { status, headers } = response;
  const came = { events: streamed ? events : null, endMarked, brokenEvents };
  return { status, headers, contentType, ...body, ...came };
}

/** End marker of streams in OpenAI's protocol; it carries no data. */
const END = '[DONE]';

function parsedEvent(data: string, broken: string[]): Json | undefined {
  if (data.trim() === END || data.trim() === '') return undefined;
  try {
    return parseBounded(data, 'The event');
  } catch {
    broken.push(data);
    return undefined;
  }
}

async function readBody(
  response: Answered,
  maxBytes: number,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<Pick<RawAnswer, 'text' | 'incomplete'>> {
  const chunks = response.body?.[Symbol.asyncIterator]();
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let size = 0;
  const take = (bytes?: Uint8Array) => {
    const text = decoder.decode(bytes, { stream: bytes !== undefined });
    pieces.push(text);
    onText(text);
  };
  const done = (incomplete: RawAnswer['incomplete']) => {
    take();
    return { text: pieces.join(''), incomplete };
  };
  while (chunks !== undefined) {
    const read = await chunks.next().catch((thrown: unknown) => {
      if (signal.aborted) throw thrown;
      return 'cut' as const;
    });
    if (read === 'cut') return done('cut');
    if (read.done) break;
    take(read.value.subarray(0, maxBytes - size));
    size += read.value.byteLength;
    if (size <= maxBytes) continue;
    // The server's reaction to a closed connection is ignored.
    chunks.return?.().catch(() => undefined);
    return done('too_large');
  }
  return done(null);
}

function unreachable(entry: ProviderEntry, cause: unknown): CasefileError {
  const message = `${entry.name} could not be reached: ${rootMessage(cause)}`;
  return new CasefileError('network', message, { retryable: true, cause });
}

function rootMessage(thrown: unknown): string {
  let error = thrown;
  while (error instanceof Error && error.cause instanceof Error) error = error.cause;
  return error instanceof Error ? error.message : String(error);
}
