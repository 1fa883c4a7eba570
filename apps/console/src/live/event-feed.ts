import {
  CasefileError,
  InvalidInput,
  type CaseReader,
  type Clock,
  type Logger,
  type EventRecord,
} from '@casefile/contracts';

/** Where a listener's events go. */
export interface EventSink {
  send(batch: EventBatch): void;
  /** false: what was sent has not left yet, send nothing more for now. */
  hasRoom(): boolean;
  /** It will get nothing more; it can come back with the id of its last event. */
  close(reason: 'stopping' | 'too_slow' | 'displaced'): void;
}

interface Listener {
  sink: EventSink;
  /** The network address that it came from. */
  address: string;
  /** The last event it was given. */
  cursor: string | null;
  /** Since when it has had no room; null: it has. */
  stuckSince: number | null;
}

interface FeedPorts {
  reader: Pick<CaseReader, 'eventsAfter' | 'lastEventId'>;
  clock: Clock;
  log: Logger;
}

interface FeedLimits {
  /** Between two looks at the record while somebody listens, in milliseconds. */
  pollMs: number;
  /** Events read, and so handed to one listener, at once. */
  page: number;
  /** How long a listener may have no room before it is cut off, in milliseconds. */
  patienceMs: number;
  /** Event streams and sockets in one process; for one more, the oldest of the address that has most is closed. */
  most: number;
}

const LIMITS: FeedLimits = { pollMs: 50, page: 1_000, patienceMs: 30_000, most: 200 };
const RETRY_AFTER_FAILURE_MS = 1_000;
/** What clients send to get everything from the first event on. */
const FROM_THE_BEGINNING = '0';

/**
 * The event log, handed to everybody who listens. One reader polls the record for all of them, and only while there
 * are any. Each listener has a cursor of its own and gets contiguous pages after it, so nobody misses an
 * event or gets one twice, wherever they begin; those at the same place share one query.
 */
export class EventFeed {
  private readonly listeners = new Set<Listener>();
  private readonly limits: FeedLimits;
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> | null = null;
  private closed = false;
  /** Listeners that are told where they begin. */
  private opening = 0;

  constructor(
    private readonly ports: FeedPorts,
    limits: Partial<FeedLimits> = {},
  ) {
    this.limits = { ...LIMITS, ...limits };
  }

  /**
   * Where a listener begins: after `lastEventId`, or with what is yet to come.
   * @throws InvalidInput for an id that is none; CasefileError `overloaded` if as many wait for their start as may listen.
   */
  async startAt(lastEventId: string | undefined): Promise<string | null> {
    if (this.opening >= this.limits.most)
      throw new CasefileError('overloaded', `${this.limits.most} event streams are being opened already`, {
        retryable: true,
      });
    this.opening += 1;
    try {
      return await this.placeOf(lastEventId);
    } finally {
      this.opening -= 1;
    }
  }

  private async placeOf(lastEventId: string | undefined): Promise<string | null> {
    if (lastEventId === undefined) return this.ports.reader.lastEventId();
    if (lastEventId === FROM_THE_BEGINNING) return null;
    try {
      await this.ports.reader.eventsAfter(lastEventId, 1);
      return lastEventId;
    } catch (thrown) {
      throw thrown instanceof InvalidInput ? noEventId(thrown) : thrown;
    }
  }

  /**
   * Sends every event after `cursor` to `sink` until the returned function is called or the sink is closed.
   * @param address where the listener comes from: no address keeps the others from listening.
   */
  listen(cursor: string | null, sink: EventSink, address = ''): () => void {
    if (this.closed) {
      sink.close('stopping');
      return () => undefined;
    }
    if (this.listeners.size >= this.limits.most) this.displaceOne();
    const listener: Listener = { sink, address, cursor, stuckSince: null };
    this.listeners.add(listener);
    this.schedule(0);
    return () => void this.listeners.delete(listener);
  }

  // Closes the oldest listener of the address that has most; listeners are kept in the order in which they came.
  private displaceOne(): void {
    const counts = new Map<string, number>();
    for (const { address } of this.listeners) counts.set(address, (counts.get(address) ?? 0) + 1);
    const [most] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
    const oldest = [...this.listeners].find(({ address }) => address === most);
    if (oldest === undefined) return;
    this.listeners.delete(oldest);
    oldest.sink.close('displaced');
  }

  /** Ends every listener and the reader. */
  async close(): Promise<void> {
    this.closed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    for (const listener of this.listeners) listener.sink.close('stopping');
    this.listeners.clear();
    await this.round;
  }

  private schedule(delayMs: number): void {
    if (this.closed || this.timer !== null || this.round !== null) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.round = this.readOnce().then((next) => {
        this.round = null;
        if (this.listeners.size > 0) this.schedule(next);
      });
    }, delayMs);
  }

  // Answers after how long to look again.
  private async readOnce(): Promise<number> {
    try {
      return (await this.serveAll()) ? 0 : this.limits.pollMs;
    } catch (error) {
      this.ports.log.warn({ error }, 'the event log cannot be read, listeners wait');
      return RETRY_AFTER_FAILURE_MS;
    }
  }

  // Answers whether there is more to read at once.
  private async serveAll(): Promise<boolean> {
    const asked = new Set<string | null>();
    let more = false;
    for (;;) {
      const next = this.ready().find((listener) => !asked.has(listener.cursor));
      if (next === undefined || this.closed) return more;
      asked.add(next.cursor);
      const page = new EventPage(await this.ports.reader.eventsAfter(next.cursor, this.limits.page));
      asked.add(this.handOut(next.cursor, page));
      more ||= page.events.length >= this.limits.page;
    }
  }

  /** Gives each listener the part of the page that is after its cursor; one whose cursor is not in it gets nothing. */
  private handOut(after: string | null, page: EventPage): string | null {
    const last = page.events.at(-1)?.id ?? after;
    if (last === after) return after;
    for (const listener of this.ready()) {
      const { cursor, sink } = listener;
      const from = cursor === after ? 0 : cursor === null ? undefined : page.placeAfter(cursor);
      if (from === undefined || from === page.events.length) continue;
      sink.send(page.batchFrom(from));
      listener.cursor = last;
    }
    return last;
  }

  private ready(): Listener[] {
    return [...this.listeners].filter((listener) => this.hasRoom(listener));
  }

  private hasRoom(listener: Listener): boolean {
    if (listener.sink.hasRoom()) {
      listener.stuckSince = null;
      return true;
    }
    const now = this.ports.clock.now();
    listener.stuckSince ??= now;
    if (now - listener.stuckSince >= this.limits.patienceMs) {
      this.listeners.delete(listener);
      listener.sink.close('too_slow');
    }
    return false;
  }
}

// The record knows it under another name than clients do.
function noEventId({ problems }: InvalidInput): InvalidInput {
  return new InvalidInput(
    problems.map(({ message }) => ({ path: 'lastEventId', message })),
    'request',
  );
}

/** Events one after another, on their way to one listener or many. */
interface EventBatch {
  readonly events: readonly EventRecord[];
  /** As server-sent events. */
  readonly stream: Buffer;
  /** As JSON texts, one an event. */
  readonly frames: readonly Buffer[];
}

/** A page of the event log. Each event is put into text once and each batch into bytes once, however many get them. */
class EventPage {
  private readonly texts: string[];
  private readonly places: Map<string, number>;
  private readonly batches = new Map<number, EventBatch>();

  constructor(readonly events: readonly EventRecord[]) {
    this.texts = events.map((event) => JSON.stringify(event));
    this.places = new Map(events.map((event, index) => [event.id, index + 1]));
  }

  /** Where the events after this one begin; undefined when it is not on the page. */
  placeAfter(id: string): number | undefined {
    return this.places.get(id);
  }

  batchFrom(place: number): EventBatch {
    const made = this.batches.get(place) ?? batchOf(this.events.slice(place), this.texts.slice(place));
    this.batches.set(place, made);
    return made;
  }
}

function batchOf(events: readonly EventRecord[], texts: readonly string[]): EventBatch {
  let stream: Buffer | undefined;
  let frames: Buffer[] | undefined;
  return {
    events,
    get stream() {
      return (stream ??= Buffer.from(events.map((event, i) => streamText(event, texts[i] ?? '')).join('')));
    },
    get frames() {
      return (frames ??= texts.map((text) => Buffer.from(text)));
    },
  };
}

// JSON has no line breaks, so one `data` line is enough. A type is a word of our own.
function streamText({ id, type }: EventRecord, json: string): string {
  return `id: ${id}\nevent: ${type}\ndata: ${json}\n\n`;
}

/**
 * Bytes that may wait in a listener's socket before it is given nothing more: some pages of events. Those who listen at
 * the same place share the bytes.
 */
export const BUFFER_LIMIT_BYTES = 1024 * 1024;

/** Between two signs of life to a listener: under the idle time-outs of common proxies (60 s). */
export const HEARTBEAT_MS = 15_000;
