import type { NewOutboundDelivery } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { sendScheduledTests } from './scheduled-tests.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** A record in memory, at 10:00 UTC on Monday. */
function bench() {
  const clock = manualClock();
  const marks = new Map<string, number>();
  const written = new Map<string, NewOutboundDelivery>();
  const store = {
    destinations: {
      // A cause makes one delivery.
      add: async (deliveries: readonly NewOutboundDelivery[]) => {
        for (const one of deliveries) written.set(`${one.destination} ${one.key}`, one);
      },
      reportedUntil: async (kind: string) => marks.get(kind) ?? null,
      setReportedUntil: async (kind: string, at: number) => void marks.set(kind, at),
    },
  };
  const send = (name: string, testCron?: string, testTimezone?: string) =>
    sendScheduledTests({ store, clock }, [
      {
        name,
        ...(testCron === undefined ? {} : { testCron }),
        ...(testTimezone === undefined ? {} : { testTimezone }),
      },
    ]);
  return { clock, marks, send, keys: () => [...written.keys()], written };
}

describe('tests of destinations on a schedule', () => {
  it('are written once at each time, from the first one after the start', async () => {
    const { clock, send, keys, written } = bench();
    expect(await send('oncall', '0 9 * * *')).toBe(0);
    for (let hour = 0; hour < 48; hour += 1) {
      clock.advance(HOUR_MS);
      await send('oncall', '0 9 * * *');
      await send('oncall', '0 9 * * *');
    }
    expect(keys()).toEqual(['oncall test 2026-01-06T09:00:00.000Z', 'oncall test 2026-01-07T09:00:00.000Z']);
    expect([...written.values()][0]).toMatchObject({ kind: 'test', caseId: null });
  });

  it('follow the time zone, and nothing is written without a schedule', async () => {
    const { clock, send, keys } = bench();
    const both = async () => [await send('oncall', '0 9 * * *', 'America/New_York'), await send('other')];
    await both();
    clock.advance(4 * HOUR_MS);
    expect(await both()).toEqual([1, 0]);
    expect(keys()).toEqual(['oncall test 2026-01-05T14:00:00.000Z']);
  });

  it('are written once after a pause of the service, for the last missed time', async () => {
    const { clock, send, keys } = bench();
    await send('oncall', '0 9 * * *');
    clock.advance(10 * DAY_MS);
    expect(await send('oncall', '0 9 * * *')).toBe(1);
    expect(keys()).toEqual(['oncall test 2026-01-15T09:00:00.000Z']);
  });

  it('are written once if a process dies between the message and the mark, and a new schedule starts anew', async () => {
    const { clock, marks, send, keys } = bench();
    await send('oncall', '0 9 * * *');
    const before = new Map(marks);
    clock.advance(DAY_MS);
    await send('oncall', '0 9 * * *');
    for (const [kind, at] of before) marks.set(kind, at);
    await send('oncall', '0 9 * * *');
    expect(keys()).toHaveLength(1);
    expect(await send('oncall', '0 8 * * *')).toBe(0);
    clock.advance(DAY_MS);
    expect(await send('oncall', '0 8 * * *')).toBe(1);
  });
});
