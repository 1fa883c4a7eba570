import { manualClock } from '@casefile/contracts/testing';
import { StoreWatch } from './store-watch.js';

const NO_CODES = { sqlState: null, reasonCode: null };

describe('the watch of a store', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('T-20 remembers since when the store is out, with the newest cause, until it answers', async () => {
    const clock = manualClock();
    let fault: string | null = null;
    let asked = 0;
    const ask = async (): Promise<void> => {
      asked += 1;
      if (fault !== null) throw new Error(fault);
    };
    const watch = new StoreWatch(ask, clock);
    watch.start();
    const later = async (): Promise<void> => {
      clock.advance(10_000);
      await jest.advanceTimersByTimeAsync(10_000);
    };
    await later();
    expect(watch.latest()).toBeNull();
    fault = 'refused';
    await later();
    expect(watch.latest()).toEqual({ since: '2026-01-05T10:00:20.000Z', why: 'refused', ...NO_CODES });
    fault = 'WRONGPASS';
    await later();
    expect(watch.latest()).toEqual({ since: '2026-01-05T10:00:20.000Z', why: 'WRONGPASS', ...NO_CODES });
    // A client that asks at the same time shares the probe.
    const before = asked;
    await Promise.all([watch.check(), watch.check()]);
    expect(asked).toBe(before);
    fault = null;
    await later();
    expect(watch.latest()).toBeNull();
    watch.stop();
    await later();
    expect(asked).toBe(before + 1);
  });
});
