import { seededRandom } from '@casefile/contracts';
import fc from 'fast-check';
import {
  chiSquareTail,
  cohensKappa,
  confusionMatrix,
  meanInterval,
  newcombe,
  newcombePaired,
  quantile,
  ratioCheckedAt,
  sampleRatioP,
  SAMPLE_RATIO_P,
  wilson,
} from './statistics.js';

describe('Wilson intervals', () => {
  // Newcombe, Statistics in Medicine 17 (1998), 857-872, table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %i in %i are the published ones', (x, n, low, high) => {
    const interval = wilson({ x, n });
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  it('contain the rate and stay between 0 and 1', () => {
    fc.assert(
      fc.property(fc.nat(5_000), fc.nat(5_000), (x, more) => {
        const n = x + more + 1;
        const { low, high } = wilson({ x, n });
        expect(0 <= low && low <= x / n + 1e-12 && x / n - 1e-12 <= high && high <= 1).toBe(true);
      }),
    );
  });
});

describe('Newcombe intervals of a difference', () => {
  // Newcombe, Statistics in Medicine 17 (1998), 873-890, table II, method 10.
  it.each([
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [6, 7, 2, 7, 0.0582, 0.8062],
    [5, 56, 0, 29, -0.0381, 0.1926],
    [0, 10, 0, 20, -0.1611, 0.2775],
    [0, 10, 0, 10, -0.2775, 0.2775],
    [10, 10, 0, 20, 0.6791, 1],
    [10, 10, 0, 10, 0.6075, 1],
  ])('%i/%i against %i/%i are the published ones', (x1, n1, x0, n0, low, high) => {
    const interval = newcombe({ x: x1, n: n1 }, { x: x0, n: n0 });
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  it.each([
    // Newcombe, Statistics in Medicine 17 (1998), 2635-2650, table II, method 10.
    [36, 12, 2, 0, 0.0569, 0.3404],
    // Fagerland, Lydersen and Laake, Statistics in Medicine 33 (2014), 2850-2875: airway hyper-responsiveness.
    [1, 1, 7, 12, -0.507, -0.026],
  ])('of pairs %i, %i, %i, %i are the published ones', (both, onlyA, onlyB, neither, low, high) => {
    const interval = newcombePaired({ both, onlyA, onlyB, neither });
    expect(interval.low).toBeCloseTo(low, 3);
    expect(interval.high).toBeCloseTo(high, 3);
  });

  it('contain the difference, and are mirrored if the arms change places', () => {
    const count = fc.nat(400);
    fc.assert(
      fc.property(count, count, count, count, (both, onlyA, onlyB, neither) => {
        fc.pre(both + onlyA + onlyB + neither > 0);
        const n = both + onlyA + onlyB + neither;
        const { low, high } = newcombePaired({ both, onlyA, onlyB, neither });
        const mirrored = newcombePaired({ both, onlyA: onlyB, onlyB: onlyA, neither });
        expect(low - 1e-9 <= (onlyA - onlyB) / n && (onlyA - onlyB) / n <= high + 1e-9).toBe(true);
        expect(mirrored.low).toBeCloseTo(-high, 9);
      }),
    );
  });
});

describe('agreement', () => {
  const matrix = (counts: number[][]) => ({ labels: counts.map((_, i) => `${i}`), counts });

  // The examples of Cohen's kappa in the literature: Sim and Wright, Physical Therapy 85 (2005), 257-268, and the
  // two tables of equal agreement with different margins.
  it.each([
    [
      [
        [20, 5],
        [10, 15],
      ],
      0.7,
      0.5,
      0.4,
    ],
    [
      [
        [45, 15],
        [25, 15],
      ],
      0.6,
      0.54,
      0.1304,
    ],
    [
      [
        [25, 35],
        [5, 35],
      ],
      0.6,
      0.46,
      0.2593,
    ],
    [
      [
        [22, 2],
        [4, 11],
      ],
      0.8462,
      0.5385,
      0.6667,
    ],
  ])('of %j is the published kappa', (counts, agreement, expected, kappa) => {
    const found = cohensKappa(matrix(counts));
    expect(found.agreement).toBeCloseTo(agreement, 4);
    expect(found.expected).toBeCloseTo(expected, 3);
    expect(found.kappa).toBeCloseTo(kappa, 2);
  });

  it('has the normal interval from 200 pairs on', () => {
    const { kappa, standardError, interval } = cohensKappa(
      matrix([
        [90, 20],
        [30, 110],
      ]),
    );
    const [po, pe] = [200 / 250, (110 * 120 + 140 * 130) / 250 ** 2];
    const se = Math.sqrt((po * (1 - po)) / (250 * (1 - pe) ** 2));
    expect(standardError).toBeCloseTo(se, 12);
    expect(interval?.low).toBeCloseTo((po - pe) / (1 - pe) - 1.959964 * se, 6);
    expect(kappa).toBeCloseTo((po - pe) / (1 - pe), 12);
  });

  it('has a bootstrap interval below 200 pairs that repeats, contains kappa and is near the normal one', () => {
    const counts = [
      [80, 15],
      [15, 80],
    ];
    const one = cohensKappa(matrix(counts), seededRandom(7));
    expect(cohensKappa(matrix(counts), seededRandom(7))).toEqual(one);
    const { kappa, standardError: se, interval } = one;
    expect(Math.abs((interval?.low ?? 0) - ((kappa ?? 0) - 1.96 * (se ?? 0)))).toBeLessThan(0.03);
    expect(Math.abs((interval?.high ?? 0) - ((kappa ?? 0) + 1.96 * (se ?? 0)))).toBeLessThan(0.03);
  });

  it('has no kappa if both arms always say the same one label', () => {
    const { agreement, expected, kappa, interval } = cohensKappa(
      confusionMatrix([{ a: 'x', b: 'x', n: 30 }]),
    );
    expect({ agreement, expected, kappa, interval }).toEqual({
      agreement: 1,
      expected: 1,
      kappa: null,
      interval: null,
    });
  });

  it('S4-55: a planted confusion matrix is found exactly, in any order of its pairs', () => {
    const label = fc.constantFrom('act', 'review', 'dismiss');
    fc.assert(
      fc.property(fc.array(fc.record({ a: label, b: label }), { minLength: 1, maxLength: 300 }), (pairs) => {
        const { labels, counts } = confusionMatrix(pairs.map((pair) => ({ ...pair, n: 1 })));
        labels.forEach((a, i) =>
          labels.forEach((b, j) =>
            expect(counts[i]?.[j]).toBe(pairs.filter((pair) => pair.a === a && pair.b === b).length),
          ),
        );
      }),
      { numRuns: 50 },
    );
  });
});

describe('the sample ratio', () => {
  // Critical values of chi-square: NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4.
  it.each([
    [3.841, 1, 0.05],
    [6.635, 1, 0.01],
    [10.828, 1, 0.001],
    [5.991, 2, 0.05],
    [13.816, 2, 0.001],
    [18.307, 10, 0.05],
    [29.588, 10, 0.001],
  ])('chi-square %d with %i degrees of freedom has the published tail', (x, df, p) => {
    expect(chiSquareTail(x, df)).toBeCloseTo(p, 4);
  });

  it('does not fit if one arm got too few cases', () => {
    expect(sampleRatioP([500, 500], [0.5, 0.5])).toBe(1);
    expect(sampleRatioP([1_000, 1_150], [0.5, 0.5])).toBeGreaterThan(SAMPLE_RATIO_P);
    expect(sampleRatioP([1_000, 1_180], [0.5, 0.5])).toBeLessThan(SAMPLE_RATIO_P);
    expect(sampleRatioP([900, 10], [1, 0])).toBe(0);
  });

  it('is checked at 100 cases and each time that the count has doubled', () => {
    expect([99, 100, 199, 200, 399, 400, 6_399, 6_400].map(ratioCheckedAt)).toEqual([
      null,
      100,
      100,
      200,
      200,
      400,
      3_200,
      6_400,
    ]);
  });
});

describe('small parts', () => {
  it('quantiles are those of type 7', () => {
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5);
    expect(quantile([10, 20, 30, 40, 50], 0.1)).toBe(14);
  });

  it('a mean of one value has no interval', () => {
    expect(meanInterval(1, 5, 0)).toBeNull();
    expect(meanInterval(100, 5, 2)?.low).toBeCloseTo(5 - 1.959964 * 0.2, 5);
  });

  it('seeded numbers repeat, and are spread evenly', () => {
    const draw = (seed: number) => Array.from({ length: 10_000 }, seededRandom(seed));
    expect(draw(3)).toEqual(draw(3));
    const below = draw(3).filter((one) => one < 0.25).length;
    expect(sampleRatioP([below, 10_000 - below], [0.25, 0.75])).toBeGreaterThan(SAMPLE_RATIO_P);
  });
});
