import {
  NO_CHANGES,
  noTelemetry,
  silentLogger,
  type StageNudge,
  type SweepCandidate,
} from '@casefile/contracts';
import { Sweeper, SWEEPER_LIMITS, type Chore, type SweeperPorts } from './sweeper.js';

const NO_OUTBOX = { flush: async () => undefined, flushCorrections: async () => undefined };

function sweeperWith(chores: Record<string, Chore>) {
  const released: string[] = [];
  const ports = {
    store: {
      lead: async () => ({ release: async () => void released.push('released') }),
      units: { sweep: async () => [] },
    },
    queue: { hasSentinel: async () => true },
    outbox: NO_OUTBOX,
    chores,
    changes: NO_CHANGES,
    log: silentLogger,
    telemetry: noTelemetry,
  } as unknown as SweeperPorts;
  return { sweeper: new Sweeper(ports), released };
}

describe('Sweeper', () => {
  it('R14 does every chore in each pass, also after one that fails', async () => {
    const done: string[] = [];
    const { sweeper, released } = sweeperWith({
      first: { tick: async () => void done.push('first') },
      broken: { tick: async () => Promise.reject(new Error('no answer')) },
      last: { tick: async () => void done.push('last') },
    });
    await sweeper.tick();
    await sweeper.tick();
    expect(done).toEqual(['first', 'last', 'first', 'last']);
    // Its connection may be the reason, so another process may lead.
    expect(released).toEqual(['released', 'released']);
  });

  it('R14 starts no chore once it is halted', async () => {
    const done: string[] = [];
    const { sweeper } = sweeperWith({
      first: { tick: async () => sweeper.halt() },
      second: { tick: async () => void done.push('second') },
    });
    await sweeper.tick();
    expect(done).toEqual([]);
  });
});

describe('an idle sweeper', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** A leading sweeper that counts its statements and passes. */
  function counted(chores: Record<string, Chore> = {}, isListening = true) {
    const counts = { signs: 0, sweeps: 0 };
    const seen = { newestEvent: null as string | null, isDue: false, isSoonDue: false };
    const queue = { isFilled: true };
    let notify = () => undefined as void;
    const ports = {
      store: {
        lead: async () => ({ release: async () => undefined }),
        units: {
          activity: async () => ((counts.signs += 1), { ...seen }),
          sweep: async () => ((counts.sweeps += 1), []),
          allDue: async () => ({ candidates: [], next: null }),
        },
      },
      changes: {
        isListening: () => isListening,
        on: (_subject: string, changed: () => void) => {
          notify = changed;
          return () => undefined;
        },
      },
      queue: {
        hasSentinel: async () => queue.isFilled,
        plantSentinel: async () => void (queue.isFilled = true),
      },
      outbox: NO_OUTBOX,
      chores,
      log: silentLogger,
      telemetry: noTelemetry,
    } as unknown as SweeperPorts;
    return { sweeper: new Sweeper(ports), counts, seen, queue, notify: () => notify() };
  }
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  it('R16 asks for signs of work every ten seconds, and makes a pass every five minutes', async () => {
    const { sweeper, counts } = counted();
    sweeper.start();
    await pass(600_000);
    await sweeper.stop();
    expect(counts.signs).toBeLessThanOrEqual(61);
    expect(counts.sweeps).toBeGreaterThanOrEqual(2);
    expect(counts.sweeps).toBeLessThanOrEqual(3);
  });

  it('R16 asks each second while no notification can arrive', async () => {
    const { sweeper, counts } = counted({}, false);
    sweeper.start();
    await pass(61_000);
    await sweeper.stop();
    expect(counts.signs).toBeGreaterThan(55);
    expect(counts.sweeps).toBe(1);
  });

  it('R4 makes a pass every second after a notification, a new event, and while something is due', async () => {
    const { sweeper, counts, seen, notify } = counted();
    sweeper.start();
    await pass(2_000);
    let { sweeps } = counts;
    notify();
    await pass(1_000);
    expect(counts.sweeps).toBeGreaterThan(sweeps);
    await pass(60_000);
    ({ sweeps } = counts);
    seen.newestEvent = '7.1';
    await pass(15_000);
    expect(counts.sweeps - sweeps).toBeGreaterThanOrEqual(5);
    await pass(60_000);
    ({ sweeps } = counts);
    seen.isDue = true;
    await pass(15_000);
    await sweeper.stop();
    expect(counts.sweeps - sweeps).toBeGreaterThanOrEqual(5);
  });

  it('R4 looks each second while work becomes due soon, so that a lost lease is noticed as during work', async () => {
    const { sweeper, counts, seen } = counted();
    sweeper.start();
    seen.isSoonDue = true;
    await pass(12_000);
    const { signs } = counts;
    await pass(10_000);
    await sweeper.stop();
    expect(counts.signs - signs).toBeGreaterThanOrEqual(9);
    expect(counts.sweeps).toBe(1);
  });

  it('R4 refills an emptied queue store within ten seconds', async () => {
    const { sweeper, queue } = counted();
    sweeper.start();
    await pass(30_000);
    queue.isFilled = false;
    await pass(10_000);
    await sweeper.stop();
    expect(queue.isFilled).toBe(true);
  });

  it('R4 goes on every second while a chore has open work', async () => {
    const { sweeper, counts } = counted({ storms: { tick: async () => true } });
    sweeper.start();
    await pass(30_000);
    await sweeper.stop();
    expect(counts.sweeps).toBeGreaterThan(25);
  });

  it('R16 does a chore at the time that it asked for, without a pass', async () => {
    const done: string[] = [];
    const { sweeper, counts } = counted({
      timed: { tick: async () => (done.push('timed'), 20_000) },
      other: { tick: async () => void done.push('other') },
    });
    sweeper.start();
    await pass(90_000);
    await sweeper.stop();
    expect(counts.sweeps).toBe(1);
    expect(done).toEqual(['timed', 'other', 'timed', 'timed', 'timed', 'timed']);
  });
});

describe('refill of an emptied queue store', () => {
  it('R16 looks for overdue work meanwhile, so that a live case does not wait for its end', async () => {
    const sent: string[] = [];
    const candidate = (runId: string): SweepCandidate => ({
      nudge: { kind: 'stage', runId, unit: '', stage: 'triage', round: 1, lane: 'batch', nudge: 1 },
    });
    let pages = 0;
    let hasSentinel = false;
    const ports = {
      store: {
        lead: async () => ({ release: async () => undefined }),
        units: {
          allDue: async () => {
            pages += 1;
            return { candidates: [candidate(`page ${pages}`)], next: pages < 7 ? String(pages) : null };
          },
          renudge: async (candidates: SweepCandidate[]) => candidates.map(({ nudge }) => nudge),
          sweep: async () => [candidate(`pass after page ${pages}`)],
          postpone: async () => undefined,
        },
      },
      queue: {
        hasSentinel: async () => hasSentinel,
        plantSentinel: async () => void (hasSentinel = true),
        alive: async () => [false],
        nudge: async (nudges: StageNudge[]) => void sent.push(...nudges.map(({ runId }) => runId)),
      },
      outbox: NO_OUTBOX,
      chores: {},
      changes: NO_CHANGES,
      log: silentLogger,
      telemetry: noTelemetry,
    } as unknown as SweeperPorts;
    const sweeper = new Sweeper(ports, { ...SWEEPER_LIMITS, refillPages: 3 });
    for (let pass = 1; pass <= 4; pass += 1) await sweeper.tick();
    const page = (n: number): string => `page ${n}`;
    expect(sent).toEqual([
      ...[1, 2, 3].map(page),
      'pass after page 3',
      ...[4, 5, 6].map(page),
      'pass after page 6',
      page(7),
      'pass after page 7',
      'pass after page 7',
    ]);
  });

  it('R16 begins again after an outage of the queue store, which may have emptied it again', async () => {
    const asked: (string | null)[] = [];
    let isAway = false;
    const ports = {
      store: {
        lead: async () => ({ release: async () => undefined }),
        units: {
          allDue: async (after: string | null) => {
            asked.push(after);
            return { candidates: [], next: `after page ${asked.length}` };
          },
          renudge: async () => [],
          sweep: async () => [],
        },
      },
      queue: {
        hasSentinel: async () => {
          if (isAway) throw new Error('away');
          return false;
        },
        alive: async () => [],
        nudge: async () => undefined,
      },
      outbox: NO_OUTBOX,
      chores: {},
      changes: NO_CHANGES,
      log: silentLogger,
      telemetry: noTelemetry,
    } as unknown as SweeperPorts;
    const sweeper = new Sweeper(ports, { ...SWEEPER_LIMITS, refillPages: 1 });
    for (const away of [false, false, true, false]) {
      isAway = away;
      await sweeper.tick();
    }
    expect(asked).toEqual([null, 'after page 1', null]);
  });
});
