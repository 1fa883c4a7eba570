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
  it('shows the score of the heuristic against the bounds of the risk levels', () => {
    const [score] = scalesOf(run({ score: 69 }, { policy: 'risk-level' }));
    expect(score).toMatchObject({ name: 'Score', value: 69, max: 100 });
    expect(score && bandOf(score)).toBe('medium');
    const [high] = scalesOf(run({ score: 130 }, { policy: 'risk-level' }));
    expect(high).toMatchObject({ max: 130 });
    expect(high && bandOf(high)).toBe('high');
  });

  it.each([
    ['normal', 0.5, 'probe'],
    ['normal', 0.7, 'engage'],
    ['strict', 0.84, 'probe'],
    ['strict', 0.69, 'ignore'],
  ])('shows the confidence against the bounds of mode %s: %d is %s', (mode, confidence, band) => {
    const [scale] = scalesOf(run({ mode }, { policy: 'engage-probe-ignore' }, confidence));
    expect(scale && bandOf(scale)).toBe(band);
  });

  it('finds the bounds that other playbooks name in their settings', () => {
    const options = { limits: { confidenceThreshold: 0.65 }, deadlineMs: 5_000 };
    const [scale] = scalesOf(run({}, { policy: 'all-of', options }, 0.6));
    expect(scale).toMatchObject({ name: 'Confidence', text: '60 %' });
    expect(scale?.bands.slice(1)).toEqual([{ from: 0.65, label: 'threshold' }]);
  });

  it('calls bounds by what they are for', () => {
    const options = { thresholds: { scoreTicketFrom: 40, scorePageFrom: 70 } };
    const [scale] = scalesOf(run({ score: 74 }, { policy: 'page-ticket', options }));
    expect(scale?.bands.map(({ label }) => label)).toEqual(['', 'ticket', 'page']);
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
    const checked = run({ status: 'NOT_MET' }, { policy: 'combine-criteria' }, 0.6);
    expect(ladderOf(checked)?.steps).toEqual([
      { label: 'not met', leadsTo: 'act', isTaken: true },
      { label: 'uncertain', leadsTo: 'review', isTaken: false },
      { label: 'met', leadsTo: 'dismiss', isTaken: false },
    ]);
    const [scale] = scalesOf(checked);
    expect(scale && bandOf(scale)).toBe('undecided');
    const options = { abstainBelow: 0.5, budgets: { confidenceThreshold: 0.9 } };
    const [own] = scalesOf(run({}, { policy: 'combine-criteria', options }, 0.6));
    expect(own?.bands).toEqual([
      { from: 0, label: 'undecided' },
      { from: 0.5, label: 'decided' },
    ]);
  });

  it('shows nothing before there is a verdict', () => {
    const undecided = { settings: aRunSettings(), verdict: null };
    expect([scalesOf(undecided), ladderOf(undecided)]).toEqual([[], null]);
  });
});
