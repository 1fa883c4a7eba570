import { verdictSchema, type Draft, type EvidenceItem } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import fc from 'fast-check';
import { aBrief, aDraft, aReview, evidenceOf, failedItem, reports } from '../testing/scam-builders.js';
import { decisionRule, type Decision } from './deciding.js';

const AT = '2026-01-05T10:00:00.000Z';

const unit = (draft: Partial<Draft> = {}, items: Partial<EvidenceItem>[] = [reports(1)]) => ({
  unit: '',
  brief: aBrief(),
  evidence: evidenceOf(...items),
  draft: aDraft(draft),
  review: aReview(),
  report: { title: '', markdown: '', citations: [] },
});

const decided = (decision: Decision, ...units: ReturnType<typeof unit>[]) =>
  decisionRule({ name: 'test', decide: () => decision }).decide(units, aRunSettings(), AT);

const dismissal: Decision = { outcome: {}, disposition: 'dismiss', reasons: ['harmless'] };

describe('decisionRule', () => {
  it('makes a complete verdict from what a rule decides', () => {
    const verdict = decided(dismissal, unit({ evidenceUsed: ['E1', 'E7'], confidence: 0.8 }));
    expect(verdictSchema.safeParse(verdict).success).toBe(true);
    expect(verdict).toMatchObject({
      disposition: 'dismiss',
      confidence: 0.8,
      method: 'llm',
      reasons: ['harmless'],
      // E7 is no evidence of the run.
      citations: ['E1'],
      degraded: false,
      decidedAt: AT,
    });
  });

  it.each([
    ['a model gave no answer', unit({ fallbackReason: 'timeout', method: 'heuristic' }), ['timeout']],
    ['a look-up failed', unit({}, [reports(1), failedItem('scam_db', 'network')]), ['lookups_failed']],
  ])('S1-17 dismisses no case if %s, and says why', (_, incomplete, degradedBy) => {
    const verdict = decided(dismissal, incomplete);
    expect(verdict).toMatchObject({ disposition: 'review', degraded: true, degradedBy });
    expect(verdict.reasons.at(-1)).toContain('The case is not dismissed, because something was missing');
    expect(decided({ ...dismissal, isSettled: true }, incomplete)).toMatchObject({
      disposition: 'dismiss',
      degraded: true,
      reasons: ['harmless'],
    });
    expect(decided({ ...dismissal, disposition: 'act' }, incomplete).disposition).toBe('act');
  });

  it('S1-17 dismisses a case only if no unit is degraded, whatever the rule decides', () => {
    const draft = fc.record({
      fallbackReason: fc.constantFrom(undefined, 'timeout', 'bad_key', 'no_provider'),
    });
    const dispositions = fc.constantFrom('act', 'review', 'dismiss' as const);
    fc.assert(
      fc.property(fc.array(draft, { minLength: 1, maxLength: 4 }), dispositions, (drafts, disposition) => {
        const units = drafts.map(({ fallbackReason }) =>
          unit(fallbackReason === undefined ? {} : { fallbackReason }),
        );
        const verdict = decided({ ...dismissal, disposition } as Decision, ...units);
        const isDegraded = drafts.some(
          ({ fallbackReason = 'no_provider' }) => fallbackReason !== 'no_provider',
        );
        expect(verdict.degraded).toBe(isDegraded);
        expect(verdict.disposition).toBe(isDegraded && disposition === 'dismiss' ? 'review' : disposition);
      }),
    );
  });

  it('refuses a run without a unit', () => {
    expect(() => decided(dismissal)).toThrow('the run has no unit');
  });
});
