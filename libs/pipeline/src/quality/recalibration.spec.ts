import { recordedVerdict, type FrozenRecalibration, type Verdict } from '@casefile/contracts';
import { recalibrateVerdict, withActingLimit } from './recalibration.js';

const verdict: Verdict = recordedVerdict({
  outcome: {},
  disposition: 'act',
  confidence: 0.9,
  confidenceSource: 'llm',
  method: 'llm',
  reasons: [],
  citations: [],
  degraded: false,
  promptIds: ['kind/b@1', 'kind/a@2'],
  decidedAt: '2026-01-05T10:00:00.000Z',
});
const of = {
  strategy: 's',
  prompts: 'kind/a@2,kind/b@1',
  model: 'm',
  language: 'en',
  confidenceSource: 'llm',
};
const learned = (
  over: Partial<FrozenRecalibration['of']> = {},
  version = 1,
  to = 0.5,
): FrozenRecalibration => ({
  version,
  of: { ...of, ...over },
  points: [
    { stated: 0, confidence: 0 },
    { stated: 0.9, confidence: to },
  ],
});
const settings = (...recalibrations: FrozenRecalibration[]) => ({
  recalibrations,
  strategy: 's',
  model: 'm',
  promptIds: { one: 'kind/a@2', two: 'kind/b@1', other: 'kind/c@1' },
});

describe('S4-60 a verdict with a recalibration', () => {
  it('has both confidences; the last recalibration of a source counts', () => {
    expect(recalibrateVerdict(verdict, settings(learned(), learned({}, 2, 0.6)), 'en')).toEqual({
      ...verdict,
      confidence: 0.6,
      confidenceSource: 'calibrated',
      statedConfidence: { confidence: 0.9, source: 'llm', recalibration: 2 },
    });
  });

  it.each([
    ['strategy', { strategy: 'other' }],
    ['model', { model: 'other' }],
    ['prompts', { prompts: 'kind/a@2' }],
    ['language', { language: null }],
    ['source', { confidenceSource: 'heuristic' }],
  ])('stays as it is for another %s', (_, over) =>
    expect(recalibrateVerdict(verdict, settings(learned(over)), 'en')).toBe(verdict),
  );

  it('stays as it is if another model answered', () => {
    const other = { ...verdict, degradedBy: ['other_model'] };
    expect(recalibrateVerdict(other, settings(learned()), 'en')).toBe(other);
  });
});

describe('S4-60 a limit for acting', () => {
  it('sends verdicts below it to a person, with the reason', () => {
    expect(withActingLimit(verdict, { actFrom: 0.95 })).toMatchObject({
      disposition: 'review',
      reasons: ['It needs review: the confidence 0.90 is below the limit of 0.95.'],
    });
  });

  it('leaves other verdicts, and all without a limit, as they are', () => {
    expect(withActingLimit(verdict, { actFrom: 0.9 })).toBe(verdict);
    expect(withActingLimit(verdict, {})).toBe(verdict);
    const reviewed = { ...verdict, disposition: 'review' as const };
    expect(withActingLimit(reviewed, { actFrom: 0.95 })).toBe(reviewed);
  });
});
