import { cachedFor } from './cached-for.js';
import { manualClock } from './testing/index.js';

/** A cached function with calls that take `tookMs` of its clock. */
function cached(tookMs = 0) {
  const clock = manualClock(0);
  const calls: { end(value: number): void; fail(error: Error): void }[] = [];
  const ask = () => new Promise<number>((end, fail) => calls.push({ end, fail }));
  const get = cachedFor(1_000, ask, () => clock.now());
  const answered = async (): Promise<number> => {
    const result = get();
    if (calls.length > 0) {
      clock.advance(tookMs);
      calls.at(-1)?.end(calls.length);
    }
    return result;
  };
  return { clock, calls, get, answered };
}

describe('cachedFor', () => {
  it('asks once per time, however many callers there are', async () => {
    const { clock, calls, get, answered } = cached();
    const all = Promise.all(Array.from({ length: 50 }, get));
    expect(calls).toHaveLength(1);
    calls[0]?.end(1);
    expect(new Set(await all)).toEqual(new Set([1]));
    clock.advance(999);
    expect(await answered()).toBe(1);
    clock.advance(1);
    expect(await answered()).toBe(2);
  });

  it('has one call in progress at a time, and asks less often if a call is slow', async () => {
    const { clock, calls, get, answered } = cached(3_000);
    expect(await answered()).toBe(1);
    clock.advance(7_999);
    expect(await get()).toBe(1);
    clock.advance(1);
    const second = get();
    clock.advance(2_000);
    expect(get()).toBe(second);
    expect(calls).toHaveLength(2);
    calls[1]?.end(2);
    expect(await second).toBe(2);
  });

  it('keeps no error', async () => {
    const { calls, get, answered } = cached();
    const failed = get();
    calls[0]?.fail(new Error('away'));
    await expect(failed).rejects.toThrow('away');
    expect(await answered()).toBe(2);
  });

  it('asks again if a call never ends, and then ignores it', async () => {
    const { clock, calls, get } = cached();
    const lost = get();
    clock.advance(30_000);
    const next = get();
    expect(calls).toHaveLength(2);
    calls[1]?.end(2);
    await next;
    calls[0]?.end(1);
    await lost;
    expect(await get()).toBe(2);
  });
});
