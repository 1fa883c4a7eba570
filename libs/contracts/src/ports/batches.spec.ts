import { batchExpectedUsd, batchPace } from '../index.js';

const running = { state: 'running' as const, total: 10, done: 4 };
const nothingOfLate = { recent: 0, recentS: null };

describe('the pace of a batch', () => {
  it('S4-62 is that of what ended of late, else of all that has ended', () => {
    const late = { workedMs: 100_000, recent: 3, recentS: 4 };
    expect(batchPace(running, late)).toEqual({ ratePerSecond: 0.04, etaSeconds: 12 });
    const all = { workedMs: 8_000, ...nothingOfLate };
    expect(batchPace(running, all)).toEqual({ ratePerSecond: 0.5, etaSeconds: 12 });
  });

  it('is not known before the first has ended, nor while nothing runs', () => {
    const worked = { workedMs: 8_000, ...nothingOfLate };
    expect(batchPace({ ...running, done: 0 }, worked)).toEqual({ ratePerSecond: null, etaSeconds: null });
    expect(batchPace({ ...running, state: 'paused' }, worked)).toEqual({
      ratePerSecond: 0.5,
      etaSeconds: null,
    });
    expect(batchPace({ ...running, done: 10 }, worked)).toMatchObject({ etaSeconds: 0 });
  });

  it('S4-62 expects of one more run what one has cost, or what was reckoned', () => {
    const batch = { total: 10, done: 4, costUsd: 2, estimateUsd: 9 };
    expect(batchExpectedUsd(batch)).toBe(0.5);
    expect(batchExpectedUsd({ ...batch, costUsd: 0 })).toBe(0.9);
    expect(batchExpectedUsd({ ...batch, done: 0 })).toBe(0.9);
    expect(batchExpectedUsd({ ...batch, total: 0, done: 0 })).toBe(0);
  });
});
