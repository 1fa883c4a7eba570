import { eventRecordSchema, project, type EventRecord, type Role } from '@casefile/contracts';

/** Consecutive events to send to one or more listeners. */
export interface EventBatch {
  readonly events: readonly EventRecord[];
  /** As server-sent events. */
  readonly stream: Buffer;
  /** JSON texts, one per event. */
  readonly frames: readonly Buffer[];
}

/**
 * A page of the event log. Each event is serialized once and each batch is encoded once, for all listeners of
 * one role.
 */
export class EventPage {
  private readonly texts = new Map<Role | null, string[]>();
  private readonly places: Map<string, number>;
  private readonly batches = new Map<string, EventBatch>();

  constructor(readonly events: readonly EventRecord[]) {
    this.places = new Map(events.map((event, index) => [event.id, index + 1]));
  }

  /** Returns the index of the first event after this id; undefined if the id is not on the page. */
  placeAfter(id: string): number | undefined {
    return this.places.get(id);
  }

  batchFrom(place: number, role: Role | null): EventBatch {
    const key = `${role} ${place}`;
    const batch =
      this.batches.get(key) ?? eventBatch(this.events.slice(place), this.textsFor(role).slice(place));
    this.batches.set(key, batch);
    return batch;
  }

  private textsFor(role: Role | null): string[] {
    const texts =
      this.texts.get(role) ??
      this.events.map((event) => JSON.stringify(project(eventRecordSchema, event, role)));
    this.texts.set(role, texts);
    return texts;
  }
}

function eventBatch(events: readonly EventRecord[], texts: readonly string[]): EventBatch {
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

// JSON has no line breaks, so one `data` line is enough. Event types are Casefile's own words and need no
// escaping.
function streamText({ id, type }: EventRecord, json: string): string {
  return `id: ${id}\nevent: ${type}\ndata: ${json}\n\n`;
}
