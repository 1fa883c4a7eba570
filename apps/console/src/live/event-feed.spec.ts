import { NO_CHANGES, silentLogger } from '@casefile/contracts';
import { manualClock, pause, until } from '@casefile/contracts/testing';
import fc from 'fast-check';
import { EventFeed, type EventSink } from './event-feed.js';
import { EventLog } from '../testing/event-log.js';

const PAGE = 3;
const READER = { role: 'reviewer' } as const;

function feedOver(log: EventLog, clock = manualClock()): EventFeed {
  return new EventFeed(
    { reader: log, changes: NO_CHANGES, clock, log: silentLogger },
    { pollMs: 1, page: PAGE, patienceMs: 1_000 },
  );
}

/** A listener that records its events. `room` says whether it has room. */
function listener(room = () => true): EventSink & { ids: string[]; closed: string[] } {
  const ids: string[] = [];
  const closed: string[] = [];
  return {
    ids,
    closed,
    send: (batch) => void ids.push(...batch.events.map((event) => event.id)),
    hasRoom: room,
    close: (reason) => void closed.push(reason),
  };
}

/** Waits for ten reads of another feed, which reads as often as the feeds of these tests. */
async function tenReads(): Promise<void> {
  const log = new EventLog();
  const feed = feedOver(log);
  feed.listen(null, listener(), READER);
  await until('ten reads of another feed', () => log.reads >= 10, 1);
  await feed.close();
}

describe('EventFeed', () => {
  it('hands every listener exactly the events after its place, whenever it joins and however pages fall', async () => {
    const joins = fc.array(fc.record({ before: fc.nat(12), from: fc.nat(12) }), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), joins, async (total, listeners) => {
        const log = new EventLog();
        const feed = feedOver(log);
        const placed: { sink: ReturnType<typeof listener>; from: number }[] = [];
        for (let written = 0; written <= total; written += 1) {
          for (const { from } of listeners.filter((it) => Math.min(it.before, total) === written)) {
            const place = Math.min(from, written);
            const sink = listener();
            placed.push({ sink, from: place });
            feed.listen(place === 0 ? null : log.idAt(place), sink, READER);
          }
          if (written < total) log.add();
          if (written % 2 === 0) await pause(0, 'Reads fall between two events or not.');
        }
        await until(
          'all listeners have their events',
          () => placed.every(({ sink, from }) => sink.ids.length >= total - from),
          1,
        );
        for (const { sink, from } of placed) expect(sink.ids).toEqual(log.ids().slice(from));
        await feed.close();
      }),
      { numRuns: 40 },
    );
  });

  it('asks the record once a look, however many listen at the same place', async () => {
    const log = new EventLog();
    const feed = feedOver(log);
    const sinks = Array.from({ length: 20 }, () => listener());
    for (const sink of sinks) feed.listen(null, sink, READER);
    for (const count of [1, 2, 3, 4, 5]) {
      log.add();
      await until(`event ${count} is sent`, () => sinks.every((sink) => sink.ids.length === count));
    }
    expect(log.readsWithEvents).toBe(5);
    await feed.close();
  });

  it('asks nothing without a listener', async () => {
    const log = new EventLog();
    const feed = feedOver(log);
    const leave = feed.listen(null, listener(), READER);
    await until('the first read', () => log.reads > 0);
    leave();
    await tenReads();
    const { reads } = log;
    await tenReads();
    expect(log.reads).toBe(reads);
    await feed.close();
  });

  it('gives a slow listener nothing while it has no room, and continues without a gap', async () => {
    const log = new EventLog();
    const feed = feedOver(log);
    let room = false;
    const slow = listener(() => room);
    const fast = listener();
    feed.listen(null, slow, READER);
    feed.listen(null, fast, READER);
    for (let i = 0; i < 10; i += 1) log.add();
    await until('the fast listener has all events', () => fast.ids.length === 10);
    expect(slow.ids).toEqual([]);
    room = true;
    await until('the slow listener has all events', () => slow.ids.length === 10);
    expect(slow.ids).toEqual(log.ids());
    await feed.close();
  });

  it('cuts off one that has had no room for too long; it can come back after its last event', async () => {
    const log = new EventLog();
    const clock = manualClock();
    const feed = feedOver(log, clock);
    log.add();
    let room = true;
    let refusals = 0;
    const slow = listener(() => {
      if (!room) refusals += 1;
      return room;
    });
    feed.listen(null, slow, READER);
    await until('the first event is sent', () => slow.ids.length === 1);
    room = false;
    log.add();
    await until('the feed finds no room', () => refusals > 0);
    clock.advance(1_001);
    await until('the slow listener is cut off', () => slow.closed.length > 0);
    expect(slow.closed).toEqual(['too_slow']);
    const again = listener();
    feed.listen(await feed.startAt(slow.ids.at(-1)), again, READER);
    await until('the second event is sent', () => again.ids.length === 1);
    expect([...slow.ids, ...again.ids]).toEqual(log.ids());
    await feed.close();
  });

  it('keeps its listeners while the record cannot be read', async () => {
    const log = new EventLog();
    const feed = feedOver(log);
    const sink = listener();
    log.failures = 1;
    feed.listen(null, sink, READER);
    log.add();
    await until('the event is sent', () => sink.ids.length === 1);
    expect(sink.closed).toEqual([]);
    await feed.close();
  });

  it('closes everybody when it is closed, and later listeners', async () => {
    const feed = feedOver(new EventLog());
    const early = listener();
    feed.listen(null, early, READER);
    await feed.close();
    const late = listener();
    feed.listen(null, late, READER);
    expect([...early.closed, ...late.closed]).toEqual(['stopping', 'stopping']);
  });

  it('E-07 closes the oldest listener of the address that has most when one too many comes', async () => {
    const clock = manualClock();
    const feed = new EventFeed(
      { reader: new EventLog(), changes: NO_CHANGES, clock, log: silentLogger },
      { most: 3 },
    );
    const sinks = ['a', 'b', 'b', 'c', 'd'].map((address) => {
      const sink = listener();
      feed.listen(null, sink, { ...READER, address });
      return sink;
    });
    expect(sinks.map(({ closed }) => closed)).toEqual([['displaced'], ['displaced'], [], [], []]);
    await feed.close();
  });
});
