import { seededRandom } from '@casefile/contracts';
import fc from 'fast-check';
import { actingThreshold, binomialAtMost } from './acting-threshold.js';
import { computeCalibration } from './calibration.js';
import { forecastCells, equalCountBins, LEAST_IN_BIN, type Forecast } from './forecast-cells.js';
import { isotonicBlocks, shareIn } from './isotonic.js';
import { recalibrate, fitRecalibration } from './recalibration.js';

/** So many forecasts of one probability, of which so many were true. */
const stated = (value: number, labels: number, observed: number): Forecast[] =>
  Array.from({ length: labels }, (_, i) => ({ stated: value, observed: i < observed ? 1 : 0 }));
const anyForecasts = (minLength: number) =>
  fc.array(
    fc.record({
      stated: fc.oneof(fc.constantFrom(0.8, 0.9, 0.95), fc.double({ min: 0, max: 1, noNaN: true })),
      observed: fc.constantFrom<(0 | 1)[]>(0, 1),
    }),
    { minLength, maxLength: 300 },
  );

describe('S4-60 bins of about equal counts', () => {
  it('hold every label once, in order, and never split a stated probability', () => {
    fc.assert(
      fc.property(anyForecasts(1), (forecasts) => {
        const bins = equalCountBins(forecastCells(forecasts));
        expect(bins.reduce((total, { labels }) => total + labels, 0)).toBe(forecasts.length);
        for (const [i, bin] of bins.entries()) {
          expect(bin.from).toBeLessThanOrEqual(bin.to);
          if (i > 0) expect(bins[i - 1]!.to).toBeLessThan(bin.from);
          if (bins.length > 1) expect(bin.labels).toBeGreaterThanOrEqual(LEAST_IN_BIN);
        }
      }),
    );
  });
});

describe('S4-60 the isotonic fit', () => {
  it('equals that of R: isoreg(c(1, 0, 4, 3, 3, 5, 4, 2, 0))', () => {
    const cells = [1, 0, 4, 3, 3, 5, 4, 2, 0].map((observed, i) => ({ stated: i / 10, labels: 1, observed }));
    const fitted = isotonicBlocks(cells).flatMap((block) =>
      Array.from({ length: block.labels }, () => shareIn(block)),
    );
    expect(fitted).toEqual([0.5, 0.5, 3, 3, 3, 3, 3, 3, 3]);
  });
});

describe('S4-60 calibration', () => {
  it('S3-41 states no error under 100 labels', () => {
    expect(computeCalibration(stated(0.9, 99, 50), seededRandom(1)).error).toBeNull();
    expect(computeCalibration([], seededRandom(1))).toMatchObject({ labels: 0, error: null, brier: null });
  });

  it('finds an error of 0.15 where 0.9 is stated and 3 of 4 are right', () => {
    const { error, brier, bins } = computeCalibration(stated(0.9, 400, 300), seededRandom(1));
    expect(error!.value).toBeCloseTo(0.15, 2);
    expect(error!.low).toBeGreaterThan(0.1);
    expect(error!.high).toBeLessThan(0.2);
    // One probability alone discriminates nothing.
    expect(brier).toMatchObject({ discrimination: 0, uncertainty: 0.1875 });
    expect(brier!.score).toBeCloseTo((300 * 0.01 + 100 * 0.81) / 400);
    expect(brier!.miscalibration).toBeCloseTo(0.15 ** 2);
    expect(bins).toHaveLength(1);
    expect(bins[0]!.consistent.low).toBeGreaterThan(0.85);
  });

  it('begins at 0 where the stated probabilities are right', () => {
    const { error } = computeCalibration(
      [...stated(0.6, 200, 120), ...stated(0.9, 200, 180)],
      seededRandom(1),
    );
    expect(error!.low).toBe(0);
    expect(error!.value).toBeLessThan(0.03);
  });

  it('divides the Brier score into parts that add up', () => {
    fc.assert(
      fc.property(anyForecasts(1), (forecasts) => {
        const { brier } = computeCalibration(forecasts, seededRandom(1));
        const { score, miscalibration, discrimination, uncertainty } = brier!;
        expect(score).toBeCloseTo(miscalibration - discrimination + uncertainty, 10);
        const mean =
          forecasts.reduce((total, { stated: said, observed }) => total + (said - observed) ** 2, 0) /
          forecasts.length;
        expect(score).toBeCloseTo(mean, 10);
        expect(miscalibration).toBeGreaterThan(-1e-12);
        expect(discrimination).toBeGreaterThan(-1e-12);
      }),
      { numRuns: 20 },
    );
  });
});

describe('S4-60 recalibration', () => {
  it('is refused under 100 labels', () => {
    expect(fitRecalibration(stated(0.9, 99, 60))).toBeNull();
  });

  it('uses a logistic curve below 1,000 labels, and brings confidences to what was observed', () => {
    const found = fitRecalibration([...stated(0.9, 200, 140), ...stated(0.6, 200, 80)])!;
    expect(found.method).toBe('platt');
    expect(recalibrate(found, 0.9)).toBeCloseTo(0.7, 1);
    expect(recalibrate(found, 0.6)).toBeCloseTo(0.4, 1);
  });

  it('follows a step from 1,000 labels on, which a logistic curve cannot', () => {
    const values = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95];
    const found = fitRecalibration(values.flatMap((value, i) => stated(value, 300, i < 3 ? 90 : 240)))!;
    expect(found.method).toBe('isotonic');
    expect(recalibrate(found, 0.5)).toBeCloseTo(0.3, 1);
    expect(recalibrate(found, 0.95)).toBeCloseTo(0.8, 1);
  });

  it('never turns the order of confidences around, and stays within 0 and 1', () => {
    fc.assert(
      fc.property(anyForecasts(100), (forecasts) => {
        const found = fitRecalibration(forecasts)!;
        const values = Array.from({ length: 51 }, (_, i) => recalibrate(found, i / 50));
        for (const [i, value] of values.entries()) {
          expect(value).toBeGreaterThan(0);
          expect(value).toBeLessThan(1);
          if (i > 0) expect(value).toBeGreaterThanOrEqual(values[i - 1]! - 1e-12);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('S4-60 the threshold from which verdicts may be acted on', () => {
  const limits = { alpha: 0.05, delta: 0.05 };

  it('equals pbinom of R', () => {
    expect(binomialAtMost(2, 10, 0.3)).toBeCloseTo(0.3827828, 6);
    expect(binomialAtMost(5, 100, 0.1)).toBeCloseTo(0.05757689, 6);
    expect(binomialAtMost(4_000, 100_000, 0.05)).toBeLessThan(1e-6);
  });

  it('needs 59 verdicts without an error for 5 % with a probability of 95 %', () => {
    expect(actingThreshold(stated(0.9, 58, 58), limits)).toBeNull();
    expect(actingThreshold(stated(0.9, 59, 59), limits)).toMatchObject({ from: 0.9, wrong: 0, recall: 1 });
  });

  it('stops before the confidence at which too many are wrong', () => {
    const forecasts = [...stated(0.95, 100, 100), ...stated(0.9, 100, 98), ...stated(0.6, 100, 60)];
    expect(actingThreshold(forecasts, limits)).toEqual({
      from: 0.9,
      actedOn: 200,
      wrong: 2,
      left: expect.closeTo(1 / 3, 10),
      recall: expect.closeTo(198 / 258, 10),
    });
    expect(actingThreshold(stated(0.9, 100, 80), limits)).toBeNull();
  });
});
