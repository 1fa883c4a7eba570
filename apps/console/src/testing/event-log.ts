import { InvalidInput, type CaseReader, type EventRecord } from '@casefile/contracts';

/** An event log that tests write to. It counts its reads. */
export class EventLog implements Pick<CaseReader, 'eventsAfter' | 'lastEventId'> {
  readonly events: EventRecord[] = [];
  reads = 0;
  /** Reads that returned events. */
  readsWithEvents = 0;
  /** Number of coming reads that fail. */
  failures = 0;

  add(type = 'stage.completed'): EventRecord {
    const id = `${this.events.length + 1}-0`;
    const event: EventRecord = {
      id,
      type,
      caseId: null,
      runId: null,
      data: {},
      at: '2026-01-05T10:00:00.000Z',
    };
    this.events.push(event);
    return event;
  }

  ids(): string[] {
    return this.events.map((event) => event.id);
  }

  /** The id of the nth event, from 1. */
  idAt(n: number): string {
    return this.ids()[n - 1] ?? '';
  }

  async eventsAfter(after: string | null, limit: number): Promise<EventRecord[]> {
    this.reads += 1;
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error('the record is away');
    }
    const from = after === null ? 0 : this.ids().indexOf(after) + 1;
    if (after !== null && from === 0)
      throw new InvalidInput([{ path: 'after', message: 'is no id of an event' }]);
    const page = this.events.slice(from, from + limit);
    if (page.length > 0) this.readsWithEvents += 1;
    return page;
  }

  async lastEventId(): Promise<string | null> {
    return this.ids().at(-1) ?? null;
  }
}
