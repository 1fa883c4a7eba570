import fc from 'fast-check';
import { quantile } from '@casefile/kit/evaluation/figures';
import { judgedEvaluation, evaluationLines } from './evaluation.js';
import {
  type JudgedMessage,
  categoryScores,
  judgedConfusion,
  hitRates,
  judgedReliability,
  judgedScores,
} from './measures.js';

const judgedMessage = (over: Partial<JudgedMessage> = {}): JudgedMessage => ({
  key: 'k',
  id: 'm',
  language: 'en',
  isScam: true,
  category: 'kyc',
  action: 'engage',
  degraded: false,
  said: { isScam: true, confidence: 0.9, category: 'kyc' },
  routed: { language: 'en', mode: 'normal' },
  matches: ['kyc', 'parcel'],
  costUsd: 0.01,
  unpriced: 0,
  calls: 1,
  tokens: 100,
  modelMs: 50,
  totalMs: 80,
  ...over,
});
const harmless = (over: Partial<JudgedMessage> = {}) =>
  judgedMessage({
    isScam: false,
    category: null,
    action: 'ignore',
    said: { isScam: false, confidence: 0.8, category: null },
    ...over,
  });
const many = (n: number, make: () => JudgedMessage) => Array.from({ length: n }, make);
const exact = (a: string, b: string) => a === b;

describe('the measures of an evaluation', () => {
  const set = [
    ...many(6, () => judgedMessage()),
    ...many(2, () => judgedMessage({ action: 'probe' })),
    ...many(2, () =>
      judgedMessage({ action: 'ignore', said: { isScam: true, confidence: 0.3, category: 'kyc' } }),
    ),
    ...many(8, () => harmless()),
    ...many(2, () => harmless({ action: 'probe', said: { isScam: true, confidence: 0.6, category: 'kyc' } })),
  ];

  it('count label against action, a run without a verdict in a column of its own', () => {
    expect(judgedConfusion([...set, judgedMessage({ action: null, said: null })])).toEqual({
      scam: { engage: 6, probe: 2, ignore: 2, none: 1 },
      harmless: { engage: 0, probe: 2, ignore: 8, none: 0 },
    });
  });

  it('give precision, recall and F1 of what was acted on', () => {
    expect(judgedScores(set)).toMatchObject({
      truePositive: 8,
      falsePositive: 2,
      falseNegative: 2,
      trueNegative: 8,
      precision: 0.8,
      recall: 0.8,
      tooFewLabels: false,
    });
    expect(judgedScores(set).f1).toBeCloseTo(0.8);
  });

  it('give null where nothing could be right, and say when labels are too few', () => {
    expect(judgedScores([])).toMatchObject({ precision: null, recall: null, f1: null, tooFewLabels: true });
    expect(judgedScores(set.slice(0, 19)).tooFewLabels).toBe(true);
  });

  it('give each category its recall, and how well it was named, other names for it counted', () => {
    const other = judgedMessage({
      category: 'parcel',
      said: { isScam: true, confidence: 0.9, category: 'delivery' },
    });
    const same = (name: string, label: string) =>
      name === label || (label === 'parcel' && name === 'delivery');
    expect(categoryScores([...set, other], same)).toEqual([
      expect.objectContaining({ category: 'kyc', labels: 10, recall: 0.8, tooFewLabels: true }),
      {
        category: 'parcel',
        labels: 1,
        tooFewLabels: true,
        recall: 1,
        named: { precision: 1, recall: 1, f1: 1 },
      },
    ]);
    expect(categoryScores(set, exact)[0]!.named).toMatchObject({ recall: 1, precision: 10 / 12 });
  });

  it('give reliability and the Brier score by hand', () => {
    const points = [
      ...many(3, () => judgedMessage()),
      harmless({ said: { isScam: true, confidence: 0.9, category: null } }),
    ];
    const { bins, brier, labels } = judgedReliability(points);
    expect(bins).toMatchObject([{ from: 0.9, to: 0.9, labels: 4, observed: 0.75 }]);
    expect(brier?.score).toBeCloseTo((3 * 0.01 + 0.81) / 4);
    expect(labels).toBe(4);
  });

  it('S3-41 leave safe defaults out of calibration: they say nothing of a model', () => {
    expect(judgedReliability(many(5, () => judgedMessage({ degraded: true })))).toMatchObject({
      labels: 0,
      error: null,
      brier: null,
    });
  });

  it('stay within their bounds whatever was judged', () => {
    const any = fc.record({
      isScam: fc.boolean(),
      action: fc.constantFrom('engage', 'probe', 'ignore', null),
      degraded: fc.boolean(),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(any), (list) => {
        const all = list.map(({ confidence, isScam, ...rest }) =>
          judgedMessage({ ...rest, isScam, said: { isScam, confidence, category: null } }),
        );
        const { error, brier, bins } = judgedReliability(all);
        for (const value of [error?.value, brier?.score])
          if (value !== undefined) expect(value >= 0 && value <= 1).toBe(true);
        expect(bins.reduce((sum, bin) => sum + bin.labels, 0)).toBe(
          all.filter((one) => !one.degraded).length,
        );
        const { truePositive, falsePositive, falseNegative, trueNegative } = judgedScores(all);
        expect(truePositive + falsePositive + falseNegative + trueNegative).toBe(all.length);
      }),
    );
  });

  it('S3-10 give hit rates at 1 and 3 over scams that were looked up', () => {
    const set = [
      judgedMessage(),
      judgedMessage({ matches: ['a', 'b', 'kyc'] }),
      judgedMessage({ matches: ['a', 'b', 'c', 'kyc'] }),
      judgedMessage({ matches: null }),
      harmless(),
    ];
    expect(hitRates(set, exact)).toMatchObject({ labels: 3, at1: 1 / 3, at3: 2 / 3, tooFewLabels: true });
  });

  it('take quantiles of what there is', () => {
    expect([quantile([3, 1, 2], 0.5), quantile([], 0.5), quantile([1], 0.95)]).toEqual([2, null, 1]);
  });

  it('are shown as tables, with a word where labels are too few', () => {
    const found = judgedEvaluation([...set, judgedMessage({ language: 'ta', degraded: true, calls: 0 })], {});
    expect(found).toMatchObject({
      messages: 21,
      degraded: 1,
      cost: { calls: 20 },
      routing: { labels: 21, right: 20 },
    });
    const lines = evaluationLines(found).join('\n');
    expect(lines).toMatch(/^ta +1 .*too few labels$/m);
    expect(lines).toMatch(/^all +21 +0\.8/m);
    expect(evaluationLines(judgedEvaluation([], {})).join('\n')).toContain('0 messages');
  });
});
