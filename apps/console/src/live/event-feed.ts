import {
  CasefileError,
  InvalidInput,
  type CaseReader,
  type ChangeSource,
  type Clock,
  type Logger,
  type Role,
} from '@casefile/contracts';
import { EventPage, type EventBatch } from './event-page.js';

/** Destination of a listener's events. */
export interface EventSink {
  send(batch: EventBatch): void;
  /** false: earlier events are still being sent; send no more for now. */
  hasRoom(): boolean;
  /** Called after the last event. The listener can reconnect with the id of that event. */
  close(reason: 'stopping' | 'too_slow' | 'displaced'): void;
}

/** A listener of the feed. */
export interface ListenerFacts {
  /** Network address. One address cannot keep others from listening. Default: none. */
  address?: string | undefined;
  /** Events are projected to what this role may read. null: a program without a role. */
  role: Role | null;
}

interface Listener {
  sink: EventSink;
  address: string;
  role: Role | null;
  /** Id of the last event that was sent to the listener. */
  cursor: string | null;
  /** Time since which the sink has had no room; null: the sink has room. */
  stuckSince: number | null;
}

interface FeedPorts {
  reader: Pick<CaseReader, 'eventsAfter' | 'lastEventId'>;
  /** Notifies of events that follow a time without any. */
  changes: ChangeSource;
  clock: Clock;
  log: Logger;
}

interface FeedLimits {
  /** Time between two reads of the event log while there are listeners and new events, in milliseconds. */
  pollMs: number;
  /** Largest time between two reads while there are no new events. Each read without one waits longer. Milliseconds. */
  quietPollMs: number;
  /** The same while notifications of new events arrive. */
  notifiedPollMs: number;
  /** Maximum number of events read, and sent to one listener, at a time. */
  page: number;
  /** Maximum time without room before a listener is disconnected, in milliseconds. */
  patienceMs: number;
  /**
   * Maximum number of event streams and sockets per process. One more closes the oldest of the address with
   * the most.
   */
  most: number;
}

const LIMITS: FeedLimits = {
  pollMs: 50,
  quietPollMs: 1_500,
  notifiedPollMs: 30_000,
  page: 1_000,
  patienceMs: 30_000,
  most: 200,
};
const RETRY_AFTER_FAILURE_MS = 1_000;
/** Growth of the wait from one read without new events to the next. */
const WAIT_GROWTH = 1.25;
/** Cursor that clients send to receive every event from the first one on. */
const FROM_THE_BEGINNING = '0';

/**
 * Sends the event log to every listener. One reader polls the record for all listeners, and only while there
 * are any. Each listener has its own cursor and receives contiguous pages after this cursor, so no listener
 * misses an event or receives one twice. Listeners with the same cursor share one query.
 */
export class EventFeed {
  private readonly listeners = new Set<Listener>();
  private readonly limits: FeedLimits;
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> | null = null;
  private closed = false;
  /** Wait before the next read, in milliseconds. */
  private waitMs: number;
  /** Number of listeners whose start position is being determined. */
  private opening = 0;
  private readonly unlisten: () => void;

  constructor(
    private readonly ports: FeedPorts,
    limits: Partial<FeedLimits> = {},
  ) {
    this.limits = { ...LIMITS, ...limits };
    this.waitMs = this.limits.pollMs;
    this.unlisten = ports.changes.on('work', () => this.readSoon());
  }

  /**
   * Returns the start position of a listener: after `lastEventId`, or after the newest event.
   * @throws InvalidInput if `lastEventId` is not an event id; CasefileError `overloaded` if the number of
   * waiting starts has reached the maximum number of listeners.
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
   */
  listen(cursor: string | null, sink: EventSink, { address = '', role }: ListenerFacts): () => void {
    if (this.closed) {
      sink.close('stopping');
      return () => undefined;
    }
    if (this.listeners.size >= this.limits.most) this.displaceOne();
    const listener: Listener = { sink, address, role, cursor, stuckSince: null };
    this.listeners.add(listener);
    this.readSoon();
    return () => void this.listeners.delete(listener);
  }

  // Closes the oldest listener of the address with the most listeners. Listeners are kept in order of
  // arrival.
  private displaceOne(): void {
    const counts = new Map<string, number>();
    for (const { address } of this.listeners) counts.set(address, (counts.get(address) ?? 0) + 1);
    const [most] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
    const oldest = [...this.listeners].find(({ address }) => address === most);
    if (oldest === undefined) return;
    this.listeners.delete(oldest);
    oldest.sink.close('displaced');
  }

  /** Closes every listener and stops the reader. */
  async close(): Promise<void> {
    this.closed = true;
    this.unlisten();
    if (this.timer !== null) clearTimeout(this.timer);
    for (const listener of this.listeners) listener.sink.close('stopping');
    this.listeners.clear();
    await this.round;
  }

  private readSoon(): void {
    this.waitMs = this.limits.pollMs;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.listeners.size > 0) this.schedule(0);
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

  // Returns the delay before the next read, in milliseconds.
  private async readOnce(): Promise<number> {
    try {
      const { more, sent } = await this.serveAll();
      const { pollMs, quietPollMs, notifiedPollMs } = this.limits;
      const quietMs = this.ports.changes.isListening() ? notifiedPollMs : quietPollMs;
      this.waitMs = sent ? pollMs : Math.min(this.waitMs * WAIT_GROWTH, Math.max(pollMs, quietMs));
      return more ? 0 : this.waitMs;
    } catch (error) {
      this.ports.log.warn({ error }, 'the event log cannot be read, listeners wait');
      return RETRY_AFTER_FAILURE_MS;
    }
  }

  // Returns whether there is more to read immediately, and whether any event was read.
  private async serveAll(): Promise<{ more: boolean; sent: boolean }> {
    const servedCursors = new Set<string | null>();
    let more = false;
    let sent = false;
    for (;;) {
      const next = this.ready().find((listener) => !servedCursors.has(listener.cursor));
      if (next === undefined || this.closed) return { more, sent };
      servedCursors.add(next.cursor);
      const page = new EventPage(await this.ports.reader.eventsAfter(next.cursor, this.limits.page));
      servedCursors.add(this.handOut(next.cursor, page));
      more ||= page.events.length >= this.limits.page;
      sent ||= page.events.length > 0;
    }
  }

  /**
   * Sends each listener the part of the page after its cursor. A listener whose cursor is not on the page
   * gets nothing.
   */
  private handOut(after: string | null, page: EventPage): string | null {
    const last = page.events.at(-1)?.id ?? after;
    if (last === after) return after;
    for (const listener of this.ready()) {
      const { cursor, sink, role } = listener;
      const from = cursor === after ? 0 : cursor === null ? undefined : page.placeAfter(cursor);
      if (from === undefined || from === page.events.length) continue;
      sink.send(page.batchFrom(from, role));
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

// Clients use another name for this field than the record.
function noEventId({ problems }: InvalidInput): InvalidInput {
  return new InvalidInput(
    problems.map(({ message }) => ({ path: 'lastEventId', message })),
    'request',
  );
}

/**
 * Maximum bytes that may wait in a listener's socket before it is sent nothing more: a few pages of events.
 * Listeners with the same cursor share the bytes.
 */
export const BUFFER_LIMIT_BYTES = 1024 * 1024;

/** Time between two heartbeats to a listener: less than the idle timeout of common proxies (60 s). */
export const HEARTBEAT_MS = 15_000;
