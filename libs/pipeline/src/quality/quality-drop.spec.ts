import fc from 'fast-check';
import { seededRandom } from '@casefile/contracts';
import { wilson } from '../rollout/statistics.js';
import { hasDropped } from './quality-drop.js';

describe('S4-61 a drop in quality', () => {
  it.each([
    [24, 40, 112, 120, true],
    [36, 40, 112, 120, false],
    [40, 40, 112, 120, false],
    [0, 19, 120, 120, false],
    [0, 20, 20, 20, true],
    [0, 20, 19, 19, false],
  ])('%i of %i right after %i of %i: %s', (x, n, before, all, expected) => {
    expect(hasDropped({ x, n }, { x: before, n: all })).toBe(expected);
  });

  it('lies below the interval of the earlier share', () => {
    const shares = fc
      .integer({ min: 20, max: 400 })
      .chain((n) => fc.record({ x: fc.nat({ max: n }), n: fc.constant(n) }));
    fc.assert(
      fc.property(shares, shares, (recent, earlier) => {
        if (hasDropped(recent, earlier)) expect(recent.x / recent.n).toBeLessThan(wilson(earlier).low);
      }),
    );
  });

  it('is seen by chance in at most 3 % of the comparisons without one', () => {
    const random = seededRandom(4);
    const drawn = (n: number) => ({
      n,
      x: Array.from({ length: n }, random).filter((one) => one < 0.85).length,
    });
    const seen = Array.from({ length: 4_000 }, () => hasDropped(drawn(60), drawn(240))).filter(Boolean);
    expect(seen.length / 4_000).toBeLessThan(0.03);
  });
});
