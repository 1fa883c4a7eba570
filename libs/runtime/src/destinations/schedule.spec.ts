import fc from 'fast-check';
import { MOST_ATTEMPTS, nextAttempt } from './schedule.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const WAITS = [5 * SECOND, 300 * SECOND, 1_800 * SECOND, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];

describe('the attempts of a delivery', () => {
  it('are 8: at 0, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h', () => {
    expect(MOST_ATTEMPTS).toBe(8);
    expect(WAITS.map((_, i) => nextAttempt(i + 1, 0, null, 0.5))).toEqual(WAITS);
    expect(nextAttempt(8, 0, 60_000, 0.5)).toBeNull();
  });

  it('are at most a fifth early or late, and never before the receiver wants them, within a day', () => {
    const drawn = fc.tuple(
      fc.integer({ min: 1, max: 7 }),
      fc.nat(10 ** 12),
      fc.option(fc.nat(2 * 24 * HOUR)),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    fc.assert(
      fc.property(drawn, ([done, now, retryAfter, random]) => {
        const wait = (nextAttempt(done, now, retryAfter, random) ?? 0) - now;
        const planned = WAITS[done - 1] ?? 0;
        const wanted = Math.min(retryAfter ?? 0, 24 * HOUR);
        expect(wait).toBeGreaterThanOrEqual(Math.max(Math.floor(planned * 0.8), wanted));
        expect(wait).toBeLessThanOrEqual(Math.max(Math.ceil(planned * 1.2), wanted));
      }),
    );
  });
});
