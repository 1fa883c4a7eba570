import type { Quality, QualityPeriod, ShownEvaluation } from '@casefile/contracts';
import { qualityLines } from './quality-lines.js';

const share = (part: number, of: number) => ({
  part,
  of,
  share: of === 0 ? null : part / of,
  low: 0,
  high: 1,
});

const period = (at: string, right: number) =>
  ({
    at,
    verdicts: 10,
    accuracy: share(right, 10),
    reviewShare: share(1, 10),
    degradedShare: share(0, 10),
    citationAccuracy: share(0, 0),
    costUsdPerVerdict: 0.5,
    p50Ms: 100,
    p95Ms: 200,
  }) as QualityPeriod;

const set = (date: string, unseen: boolean, right: number) =>
  ({ date, unseen, accuracy: share(right, 20) }) as ShownEvaluation;

const SHOWN = {
  series: [period('2026-01-02T00:00:00.000Z', 8), period('2026-01-04T00:00:00.000Z', 9)],
  step: 'day',
  from: '2026-01-01T10:00:00.000Z',
  to: '2026-01-31T10:00:00.000Z',
  evaluations: [] as ShownEvaluation[],
} satisfies Partial<Quality>;

describe('lines over time of page Quality', () => {
  it('S4-60 shows unseen sets on their days among the shares, added by day', () => {
    const evaluations = [
      set('2026-01-03', true, 10),
      set('2026-01-03', true, 20),
      set('2026-01-04', false, 20),
      set('2025-12-01', true, 20),
    ];
    const { at, sharesAt, shares, cost } = qualityLines({ ...SHOWN, evaluations });
    expect(sharesAt.map((time) => new Date(time * 1_000).getUTCDate())).toEqual([2, 3, 4]);
    expect(shares.map(({ name, values }) => [name, values])).toEqual([
      ['right', [0.8, null, 0.9]],
      ['review', [0.1, null, 0.1]],
      ['degraded', [0, null, 0]],
      ['citations verified', [null, null, null]],
      ['right on unseen sets', [null, 0.75, null]],
    ]);
    expect(at).toHaveLength(2);
    expect(cost[0]?.values).toEqual([0.5, 0.5]);
  });

  it('S4-60 has no line of sets without one in the range, nor by hours', () => {
    const evaluations = [set('2026-01-03', true, 10)];
    expect(qualityLines(SHOWN).shares).toHaveLength(4);
    expect(qualityLines({ ...SHOWN, step: 'hour', evaluations }).shares).toHaveLength(4);
  });
});
