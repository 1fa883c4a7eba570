import fc from 'fast-check';
import { seededRandom } from '@casefile/contracts';
import { wilson } from '../rollout/statistics.js';
import { stratifiedShare } from './stratified.js';

describe('the share of all verdicts that is right', () => {
  it('S4-59 weighs parts by their size, not by their labels', () => {
    // Half of the 20 hard verdicts is right, 98 % of the 980 others, of which few have a label.
    const found = stratifiedShare([
      { size: 20, labels: { x: 10, n: 20 } },
      { size: 980, labels: { x: 49, n: 50 } },
    ]);
    expect(found?.value).toBeCloseTo(0.02 * 0.5 + 0.98 * 0.98, 10);
  });

  it('S4-59 is the Wilson interval if there is one part', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(), (n, seed) => {
        const labels = { x: seed % (n + 1), n };
        const { low, high } = wilson(labels);
        const found = stratifiedShare([
          { size: 7, labels },
          { size: 0, labels: { x: 0, n: 0 } },
        ]);
        expect(found?.low).toBeCloseTo(low, 10);
        expect(found?.high).toBeCloseTo(high, 10);
      }),
    );
  });

  it('S4-59 is unknown while a part has no label', () => {
    expect(stratifiedShare([])).toBeNull();
    expect(
      stratifiedShare([
        { size: 5, labels: { x: 5, n: 5 } },
        { size: 95, labels: { x: 0, n: 0 } },
      ]),
    ).toBeNull();
  });

  it('S4-59 covers the true share in about 95 % of seeded samples', () => {
    const random = seededRandom(11);
    const draw = (n: number, p: number) => ({
      x: Array.from({ length: n }, random).filter((u) => u < p).length,
      n,
    });
    const truth = 0.3 * 0.6 + 0.7 * 0.95;
    const covered = Array.from({ length: 1_000 }, () =>
      stratifiedShare([
        { size: 300, labels: draw(80, 0.6) },
        { size: 700, labels: draw(60, 0.95) },
      ]),
    ).filter((found) => found !== null && found.low <= truth && truth <= found.high).length;
    expect(covered).toBeGreaterThan(930);
    expect(covered).toBeLessThan(980);
  });
});
