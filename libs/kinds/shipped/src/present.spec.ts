import { aRunSettings } from '@casefile/contracts/testing';
import { presentationSchema, type JsonObject, type Scale, type Verdict } from '@casefile/contracts';
import fc from 'fast-check';
import { playbookNamed } from '@casefile/pipeline';
import { playbooks } from './loaded.js';
import { present } from '@casefile/pipeline/present';

const aVerdict = (): Verdict => ({
  outcome: {},
  disposition: 'review',
  confidence: 0.7,
  confidenceSource: 'llm',
  method: 'llm',
  reasons: [],
  citations: [],
  degraded: false,
  degradedBy: [],
  degradedNote: '',
  decidedAt: '2026-01-01T00:00:00Z',
});
const run = (
  playbook: string,
  outcome: JsonObject,
  options: JsonObject = {},
  confidence = 0.7,
  over: Partial<Verdict> = {},
) => {
  const verdict = { ...aVerdict(), outcome, confidence, ...over };
  return present(playbookNamed(playbook, playbooks).presenting, verdict, aRunSettings({ options }));
};
const bandOf = ({ bands, value }: Scale) => bands.findLast(({ from }) => value >= from)?.label;

describe('S2-32 why this verdict', () => {
  it('shows the score of the heuristic against the bounds of the risk levels, where they decided', () => {
    const {
      scales: [score],
    } = run('scam-verdict', { score: 69, riskLevel: 'medium' });
    expect(score).toMatchObject({ name: 'Score', value: 69, max: 100 });
    expect(score && bandOf(score)).toBe('medium');
    const {
      scales: [high],
    } = run('scam-verdict', { score: 130, riskLevel: 'high' });
    expect(high).toMatchObject({ max: 130 });
    expect(high && bandOf(high)).toBe('high');
    // Raised by something else than the score.
    const {
      scales: [raised],
    } = run('scam-verdict', { score: 10, riskLevel: 'medium' });
    expect(raised).toMatchObject({ value: 10, bands: [] });
  });

  it('shows no figure of a research without a report, because nothing was measured', () => {
    const none = run('research', { error: 'NoValidSourcesError', confidenceLevel: 'Low' }, {}, 0);
    expect(none).toMatchObject({
      word: 'no basis',
      answer: 'no report',
      confidenceApplies: false,
      scales: [],
    });
    const { confidenceApplies, scales } = run('research', { error: null, confidenceLevel: 'High' }, {}, 0.9);
    expect(confidenceApplies).toBe(true);
    expect(scales.map(({ text }) => text)).toEqual(['90 %']);
  });

  const options = {
    normalProbeFrom: 0.4,
    normalEngageFrom: 0.6,
    strictProbeFrom: 0.7,
    strictEngageFrom: 0.9,
  };
  const screened = (outcome: JsonObject, confidence: number, own: JsonObject = options) =>
    run('message-screening', { scamDetected: true, ...outcome }, own, confidence).scales;

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

  it('shows no figure of a message that was not judged', () => {
    expect(screened({ scamDetected: false, mode: 'normal', action: 'ignore' }, 0)).toEqual([]);
  });

  it('marks the step that a rule of steps took, in the words of the reader', () => {
    const { ladder, word, answer } = run('scam-verdict', { riskLevel: 'high' }, {}, 0.9, {
      disposition: 'act',
    });
    expect(ladder?.steps.find(({ isTaken }) => isTaken)).toEqual({
      label: 'high',
      leadsTo: 'scam',
      isTaken: true,
    });
    expect([word, answer]).toEqual(['scam', 'high risk']);
  });

  it.each([
    ['scam-verdict', { riskLevel: 'low' }, 'dismiss', 'harmless', 'low risk'],
    ['scam-verdict', { riskLevel: 'unconfirmed' }, 'review', 'unclear', 'unconfirmed'],
    ['message-screening', { action: 'engage', scamDetected: true, confidence: 0.9 }, 'act', 'engage', 'scam'],
    [
      'message-screening',
      { action: 'ignore', scamDetected: false, confidence: 0.9 },
      'dismiss',
      'ignore',
      'no scam',
    ],
    ['message-screening', { action: 'ignore', reason: 'not judged' }, 'review', 'unclear', 'not judged'],
    ['policy-check', { status: 'NOT_MET' }, 'act', 'declined', 'not met'],
    ['policy-check', { status: 'MET' }, 'dismiss', 'approved', 'met'],
    ['policy-check', { status: 'UNCERTAIN' }, 'review', 'refer', 'uncertain'],
  ] as const)(
    'says a verdict of %s (%j, %s) in the words of its reader',
    (kind, outcome, disposition, word, answer) => {
      expect(run(kind, { ...outcome }, {}, 0.9, { disposition })).toMatchObject({ word, answer });
    },
  );

  it('S1-17 T-21 shows no step, and no confidence, of an unconfirmed level', () => {
    const shown = (riskLevel: string, over: Partial<Verdict> = {}) =>
      run('scam-verdict', { riskLevel, score: 0, confidence: 100 }, {}, 1, over);
    for (const method of ['heuristic', 'llm'] as const) {
      const open = shown('unconfirmed', { method });
      expect(open).toMatchObject({ word: 'unclear', answer: 'unconfirmed', confidenceApplies: false });
      expect(open.ladder).toBeNull();
      expect(open.scales.map(({ name }) => name)).toEqual(['Score']);
    }
    const sure = shown('low', { method: 'heuristic', disposition: 'dismiss' });
    expect(sure).toMatchObject({ answer: 'low risk', confidenceApplies: true });
    expect(sure.ladder).not.toBeNull();
    expect(sure.scales.map(({ name }) => name)).toEqual(['Score', 'Confidence']);
  });

  it('takes nothing of an outcome that is not there for a word, and no member of Object for a field', () => {
    for (const { presenting } of playbooks)
      fc.assert(
        fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (outcome) => {
          const verdict = { ...aVerdict(), outcome: outcome as JsonObject };
          const shown = present(presenting, verdict, aRunSettings());
          expect(presentationSchema.safeParse(shown).success).toBe(true);
        }),
        { numRuns: 50 },
      );
  });

  it('S4-22 S4-23 shows the status that criteria come to, and the confidence below which one is left open', () => {
    const bound = { abstainBelow: 0.5, budgets: { confidenceThreshold: 0.9 } };
    const checked = run('policy-check', { status: 'NOT_MET' }, bound, 0.6);
    expect(checked.ladder?.steps).toEqual([
      { label: 'not met', leadsTo: 'declined', isTaken: true },
      { label: 'uncertain', leadsTo: 'refer', isTaken: false },
      { label: 'met', leadsTo: 'approved', isTaken: false },
    ]);
    const [scale] = checked.scales;
    expect(scale?.bands).toEqual([
      { from: 0, label: 'undecided' },
      { from: 0.5, label: 'decided' },
    ]);
    expect(scale && bandOf(scale)).toBe('decided');
    // Left open for another reason than its confidence.
    const [open] = run('policy-check', { status: 'UNCERTAIN' }, bound, 0.6).scales;
    expect(open?.bands).toEqual([]);
  });
});
