import { silentLogger, type CallMonths, type CopyStep } from '@casefile/contracts';
import { MonthKeeper } from './month-keeper.js';

const HOUR_MS = 3_600_000;

/** Months with these numbers of copy steps; null: a call of the month still has its content. */
function months(steps: Record<string, number | null>, isInUse = false) {
  const acts: string[] = [];
  const left = new Map(Object.entries(steps));
  const port: CallMonths = {
    addAhead: () => (acts.push('add'), Promise.resolve(0)),
    erased: () => Promise.resolve([...left.keys()]),
    copyErased: (month): Promise<CopyStep> => {
      acts.push(`copy ${month}`);
      const more = left.get(month);
      if (more === null || more === undefined) return Promise.resolve('kept');
      left.set(month, more - 1);
      return Promise.resolve(more > 1 ? 'more' : 'all');
    },
    replace: (month) => {
      acts.push(`replace ${month}`);
      if (isInUse) return Promise.resolve(null);
      left.delete(month);
      return Promise.resolve({ bytesBefore: 2, bytesAfter: 1 });
    },
  };
  return { port, acts };
}

async function ticksOf(port: CallMonths, ticks: number, everyMs = 1_000): Promise<void> {
  let now = 0;
  const keeper = new MonthKeeper({ months: port, clock: { now: () => now }, log: silentLogger });
  for (let tick = 0; tick < ticks; tick += 1, now += everyMs) await keeper.tick();
}

describe('the keeper of months', () => {
  it('adds months at once and then every hour', async () => {
    const { port, acts } = months({});
    await ticksOf(port, 10, HOUR_MS / 4);
    expect(acts).toEqual(['add', 'add', 'add']);
  });

  it('copies one step per pass and replaces a complete copy, month after month', async () => {
    const { port, acts } = months({ m1: 2, m2: 1 });
    await ticksOf(port, 6);
    expect(acts).toEqual(['add', 'copy m1', 'copy m1', 'replace m1', 'copy m2', 'replace m2']);
  });

  it('goes on to the next month if a call of the first still has its content', async () => {
    const { port, acts } = months({ m1: null, m2: 1 });
    await ticksOf(port, 4);
    expect(acts).toEqual(['add', 'copy m1', 'copy m2', 'replace m2']);
  });

  it('tries a month that was in use again after an hour', async () => {
    const { port, acts } = months({ m1: 1 }, true);
    await ticksOf(port, 5, HOUR_MS / 3);
    expect(acts).toEqual(['add', 'copy m1', 'replace m1', 'add', 'copy m1', 'replace m1']);
  });
});
