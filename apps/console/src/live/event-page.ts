import type { EventRecord } from '@casefile/contracts';

/** Events one after another, on their way to one listener or many. */
export interface EventBatch {
  readonly events: readonly EventRecord[];
  /** As server-sent events. */
  readonly stream: Buffer;
  /** As JSON texts, one an event. */
  readonly frames: readonly Buffer[];
}

/** A page of the event log. Each event is put into text once and each batch into bytes once, however many get them. */
export class EventPage {
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
