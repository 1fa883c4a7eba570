import fc from 'fast-check';
import { pairedSequence, promotion, unpairedSequence } from './promotion.js';

const PAIRED = { margin: 0.03, expectedCases: 1_000 };
const shadow = (both: number, onlyA: number, onlyB: number, neither = 0) => ({
  mode: 'shadow' as const,
  pairs: { both, onlyA, onlyB, neither },
  discordant: onlyA + onlyB,
});

describe('the confidence sequence', () => {
  it('is the published formula, computed step by step', () => {
    // n = 400 pairs, 20 better and 20 worse, expected at 1,000.
    const r2 = (-2 * Math.log(0.05) + Math.log(-2 * Math.log(0.05) + 1)) / 1_000;
    const [n, s2] = [400, 0.1];
    const half = Math.sqrt(
      ((s2 * 2 * (n * r2 + 1)) / (n ** 2 * r2)) * Math.log(1 + Math.sqrt(n * r2 + 1) / 0.05),
    );
    const found = pairedSequence({ both: 360, onlyA: 20, onlyB: 20, neither: 0 }, 1_000);
    expect(found.low).toBeCloseTo(-half, 12);
    expect(found.high).toBeCloseTo(half, 12);
    expect(half).toBeGreaterThan(0.04);
    expect(half).toBeLessThan(0.05);
  });

  it('narrows as cases come in, and never has zero width without differences', () => {
    fc.assert(
      fc.property(fc.integer({ min: 50, max: 5_000 }), (n) => {
        const one = pairedSequence({ both: n, onlyA: 0, onlyB: 0, neither: 0 }, 1_000);
        const more = pairedSequence({ both: 2 * n, onlyA: 0, onlyB: 0, neither: 0 }, 1_000);
        expect(one.low).toBeLessThan(0);
        expect(more.low).toBeGreaterThan(one.low);
      }),
    );
  });

  it('over separate cases is wider than over pairs', () => {
    const paired = pairedSequence({ both: 850, onlyA: 50, onlyB: 50, neither: 50 }, 1_000);
    const unpaired = unpairedSequence({ x: 900, n: 1_000 }, { x: 900, n: 1_000 }, 1_000);
    expect(unpaired.high - unpaired.low).toBeGreaterThan(paired.high - paired.low);
  });
});

describe('S4-56: the promotion rule', () => {
  it('needs 50 reviewed pairs and 10 that differ', () => {
    expect(promotion(shadow(29, 10, 10), PAIRED)).toMatchObject({ finding: 'not_enough', moreCases: 1 });
    expect(promotion(shadow(5_000, 2, 2), PAIRED)).toMatchObject({ finding: 'not_enough', moreCases: 6 });
    expect(promotion(shadow(5_000, 5, 5), PAIRED)).toMatchObject({
      finding: 'at_least_as_good',
      moreCases: 0,
    });
  });

  it('needs 200 reviewed cases in the smaller arm', () => {
    const of = (n: number) => ({ mode: 'ab' as const, fresh: { x: n, n }, old: { x: 5_000, n: 5_000 } });
    const rule = { margin: 0.05, expectedCases: 2_000 };
    expect(promotion(of(150), rule)).toMatchObject({ finding: 'not_enough', moreCases: 50 });
    expect(promotion(of(2_000), rule)).toMatchObject({ finding: 'at_least_as_good' });
  });

  it('tells a worse arm, and one that the expected count cannot settle', () => {
    expect(promotion(shadow(600, 10, 390), PAIRED).finding).toBe('worse');
    expect(promotion(shadow(1_400, 270, 330), PAIRED).finding).toBe('inconclusive');
  });

  it('names the cases after which the present rates would settle it', () => {
    const { finding, moreCases } = promotion(shadow(180, 10, 10), PAIRED);
    expect(finding).toBe('not_enough');
    const scale = (200 + moreCases) / 200;
    const after = promotion(shadow(180 * scale, 10 * scale, 10 * scale), PAIRED);
    const before = promotion(shadow(180 * (scale - 0.01), 10 * (scale - 0.01), 10 * (scale - 0.01)), PAIRED);
    expect([before.finding, after.finding]).toEqual(['not_enough', 'at_least_as_good']);
  });
});
