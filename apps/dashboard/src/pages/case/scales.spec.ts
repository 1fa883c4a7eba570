import { aRunSettings } from '@casefile/contracts/testing';
import type { JsonObject, RunSettings, Verdict } from '@casefile/contracts';
import { bandOf, ladderOf, scalesOf } from './scales.js';

const run = (outcome: JsonObject, settings: Partial<RunSettings>, confidence = 0.7) => ({
  settings: aRunSettings(settings),
  verdict: {
    ...{ outcome, disposition: 'review', confidence, confidenceSource: 'llm', method: 'llm', reasons: [] },
    ...{
      citations: [],
      degraded: false,
      degradedBy: [],
      degradedNote: '',
      decidedAt: '2026-01-01T00:00:00Z',
    },
  } satisfies Verdict as Verdict,
});

describe('S2-32 why this verdict', () => {
  it('shows the score of the heuristic against the bounds of the risk levels, where they decided', () => {
    const [score] = scalesOf(run({ score: 69, riskLevel: 'medium' }, { policy: 'risk-level' }));
    expect(score).toMatchObject({ name: 'Score', value: 69, max: 100 });
    expect(score && bandOf(score)).toBe('medium');
    const [high] = scalesOf(run({ score: 130, riskLevel: 'high' }, { policy: 'risk-level' }));
    expect(high).toMatchObject({ max: 130 });
    expect(high && bandOf(high)).toBe('high');
    // Raised by something else than the score.
    const [raised] = scalesOf(run({ score: 10, riskLevel: 'medium' }, { policy: 'risk-level' }));
    expect(raised).toMatchObject({ value: 10, bands: [] });
  });

  const options = {
    normalProbeFrom: 0.4,
    normalEngageFrom: 0.6,
    strictProbeFrom: 0.7,
    strictEngageFrom: 0.9,
  };
  const screened = (outcome: JsonObject, confidence: number, own: JsonObject = options) =>
    scalesOf(
      run({ scamDetected: true, ...outcome }, { policy: 'engage-probe-ignore', options: own }, confidence),
    );

  it.each([
    ['normal', 0.5, 'probe'],
    ['normal', 0.6, 'engage'],
    ['strict', 0.89, 'probe'],
    ['strict', 0.69, 'ignore'],
  ])("shows the confidence against the run's own bounds of mode %s: %d is %s", (mode, confidence, action) => {
    const [scale] = screened({ mode, action }, confidence);
    expect(scale && bandOf(scale)).toBe(action);
  });

  it.each([
    ['it is no scam', { scamDetected: false, mode: 'normal', action: 'ignore' }, options],
    ['too few red flags decided', { mode: 'strict', action: 'ignore' }, options],
    ['the run has no bounds', { mode: 'normal', action: 'engage' }, {}],
  ])('shows no bounds where %s', (_why, outcome, own) => {
    expect(screened(outcome, 0.95, own)).toEqual([
      { name: 'Confidence', value: 0.95, max: 1, text: '95 %', bands: [] },
    ]);
  });

  it('shows no figure of a message that nobody judged', () => {
    expect(screened({ scamDetected: false, mode: 'normal', action: 'ignore' }, 0)).toEqual([]);
  });

  it('takes no number of the settings for a bound of a policy it does not know', () => {
    const own = { limits: { confidenceThreshold: 0.65 }, thresholds: { scorePageFrom: 70 } };
    const scales = scalesOf(run({ score: 74 }, { policy: 'page-ticket', options: own }, 0.6));
    expect(scales.map(({ name, bands }) => [name, bands])).toEqual([
      ['Score', []],
      ['Confidence', []],
    ]);
  });

  it('marks the step that a policy of steps took', () => {
    const ladder = ladderOf(run({ riskLevel: 'high' }, { policy: 'risk-level' }));
    expect(ladder?.steps.find(({ isTaken }) => isTaken)).toEqual({
      label: 'high',
      leadsTo: 'act',
      isTaken: true,
    });
    expect(ladderOf(run({}, { policy: 'all-of' }))).toBeNull();
  });

  it('S4-22 S4-23 shows the status that criteria come to, and the confidence below which one is left open', () => {
    const bound = { abstainBelow: 0.5, budgets: { confidenceThreshold: 0.9 } };
    const checked = run({ status: 'NOT_MET' }, { policy: 'combine-criteria', options: bound }, 0.6);
    expect(ladderOf(checked)?.steps).toEqual([
      { label: 'not met', leadsTo: 'act', isTaken: true },
      { label: 'uncertain', leadsTo: 'review', isTaken: false },
      { label: 'met', leadsTo: 'dismiss', isTaken: false },
    ]);
    const [scale] = scalesOf(checked);
    expect(scale?.bands).toEqual([
      { from: 0, label: 'undecided' },
      { from: 0.5, label: 'decided' },
    ]);
    expect(scale && bandOf(scale)).toBe('decided');
    // Left open for another reason than its confidence.
    const [open] = scalesOf(
      run({ status: 'UNCERTAIN' }, { policy: 'combine-criteria', options: bound }, 0.6),
    );
    expect(open?.bands).toEqual([]);
  });

  it('shows nothing before there is a verdict', () => {
    const undecided = { settings: aRunSettings(), verdict: null };
    expect([scalesOf(undecided), ladderOf(undecided)]).toEqual([[], null]);
  });
});
