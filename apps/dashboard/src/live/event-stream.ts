import type { EventRecord } from '@casefile/contracts';
import { EventSourceParserStream } from 'eventsource-parser/stream';

export type StreamState = 'connecting' | 'live' | 'offline';

/** Listener of the stream. `onGap`: events may have been missed, so the page has to read its data again. */
export interface StreamListener {
  onEvent(event: EventRecord): void;
  onGap(): void;
  onState(state: StreamState): void;
}

/** Opens the stream after `lastEventId`; null: from now on. */
export type OpenStream = (
  lastEventId: string | null,
  signal: AbortSignal,
) => Promise<ReadableStream<Uint8Array>>;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/**
 * Reads the event log over one connection. After a reconnect the stream continues after the last event
 * received, so no event is missed or repeated. The class does not use `EventSource`, because it also passes
 * on event types that this page does not know.
 */
export class EventStream {
  private lastEventId: string | null = null;
  private running: AbortController | null = null;

  constructor(
    private readonly listener: StreamListener,
    private readonly open: OpenStream = openEvents,
    private readonly sleep: (ms: number, signal: AbortSignal) => Promise<void> = wait,
  ) {}

  start(): void {
    if (this.running !== null) return;
    this.running = new AbortController();
    void this.run(this.running.signal);
  }

  stop(): void {
    this.running?.abort();
    this.running = null;
  }

  /**
   * Makes the next connection start at the newest event. After a long pause, reading all data again is
   * cheaper than receiving all missed events.
   */
  forget(): void {
    this.lastEventId = null;
  }

  private async run(signal: AbortSignal): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    while (!signal.aborted) {
      this.listener.onState('connecting');
      try {
        const stream = await this.open(this.lastEventId, signal);
        this.listener.onState('live');
        if (this.lastEventId === null) this.listener.onGap();
        waitMs = FIRST_WAIT_MS;
        await this.readAll(stream, signal);
      } catch (error) {
        if (signal.aborted) return;
        // The log does not know the id, because a new record was started. Starts again without an id.
        if (error instanceof RefusedStream && error.status === 400) this.forget();
      }
      if (signal.aborted) return;
      this.listener.onState('offline');
      await this.sleep(waitMs, signal);
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    }
  }

  private async readAll(stream: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void> {
    const messages = stream
      .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
      .pipeThrough(new EventSourceParserStream())
      .getReader();
    for (;;) {
      const { done, value } = await messages.read();
      if (done || signal.aborted) return;
      if (value.id !== undefined) this.lastEventId = value.id;
      this.listener.onEvent(JSON.parse(value.data) as EventRecord);
    }
  }
}

/** The server did not open the stream. */
export class RefusedStream extends Error {
  constructor(readonly status: number) {
    super(`the event stream was refused with ${status}`);
  }
}

async function openEvents(
  lastEventId: string | null,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const headers: Record<string, string> = { accept: 'text/event-stream' };
  if (lastEventId !== null) headers['last-event-id'] = lastEventId;
  const response = await fetch('/api/v1/events', { headers, signal, credentials: 'same-origin' });
  if (!response.ok || response.body === null) throw new RefusedStream(response.status);
  return response.body;
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
