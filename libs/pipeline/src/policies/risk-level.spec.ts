import { verdictSchema, type Brief, type Draft, type Evidence, type Review } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { heuristic } from '../playbooks/scam-verdict/heuristic.js';
import { aBrief, aDraft, anInput, aReview, evidenceOf, failed, reports } from '../testing/scam-builders.js';
import { riskLevel } from './risk-level.js';

interface Parts {
  brief?: Partial<Brief>;
  evidence?: Evidence;
  draft?: Partial<Draft>;
  review?: Partial<Review>;
}
const at = '2026-01-05T10:00:09.000Z';
const unit = ({ brief, evidence, draft, review }: Parts = {}) => ({
  unit: '',
  brief: aBrief(brief),
  evidence: evidence ?? evidenceOf(reports(47)),
  draft: aDraft(draft),
  review: aReview(review),
  report: { title: '', markdown: '', citations: [] },
});
const decide = (parts: Parts = {}) => riskLevel.decide([unit(parts)], aRunSettings(), at);
const answer = (level: string, over: object = {}) => ({
  answer: { riskLevel: level, confidence: 85, ...over },
});

describe('the policy risk-level', () => {
  it('S1-26 gives level, confidence, explanation, evidence and how it was reasoned', () => {
    const verdict = decide({ draft: { evidenceUsed: ['E1', 'E9'] } });
    expect(verdict.outcome).toEqual({
      riskLevel: 'high',
      confidence: 85,
      explanation: 'Many reports [E1].',
      evidenceUsed: ['E1', 'E9'],
      reasoningMethod: 'llm',
    });
    expect(verdict).toMatchObject({
      confidence: 0.85,
      confidenceSource: 'llm',
      method: 'llm',
      citations: ['E1'],
      degraded: false,
      decidedAt: at,
    });
    expect(verdictSchema.safeParse(verdict).success).toBe(true);
  });

  it.each([
    ['high', 'act'],
    ['medium', 'review'],
    ['low', 'dismiss'],
  ])('S1-26 %s -> %s', (level, disposition) => {
    expect(decide({ draft: answer(level) }).disposition).toBe(disposition);
  });

  it.each(['high', 'medium', 'low'])(
    'S1-27 a warning sends %s to review; level and confidence stay as answered',
    (level) => {
      const findings = [{ id: 'x:1', code: 'x', message: 'The draft states a figure' }];
      const verdict = decide({ draft: answer(level), review: { ruling: 'WARN', findings } });
      expect(verdict).toMatchObject({
        disposition: 'review',
        confidence: 0.85,
        outcome: { riskLevel: level, confidence: 85 },
      });
      expect(verdict.reasons).toContain('The draft states a figure');
    },
  );

  it('S1-25 a fallback is degraded and says why; without a provider it says that none is configured', () => {
    const verdict = decide({ draft: { method: 'heuristic', fallbackReason: 'timeout' } });
    expect(verdict).toMatchObject({ degraded: true, degradedBy: ['timeout'], degradedNote: 'timeout' });
    expect(verdict.reasons.join(' ')).toContain('(timeout): the heuristic decided');
    const none = decide({ draft: { method: 'heuristic', fallbackReason: 'no_provider' } });
    expect(none).toMatchObject({
      degraded: false,
      degradedBy: [],
      method: 'heuristic',
      outcome: { reasoningMethod: 'heuristic' },
    });
    expect(none.reasons).toContain('No language model is configured: the heuristic decided.');
  });

  it('S1-40 the heuristic that was chosen is not degraded; its raw score is kept', () => {
    const evidence = evidenceOf(reports(47), reports(47), reports(47));
    const verdict = decide({ evidence, draft: { ...heuristic(anInput(evidence)), strategy: 'heuristic' } });
    expect(verdict).toMatchObject({
      degraded: false,
      disposition: 'act',
      outcome: { score: 120, confidence: 100 },
    });
  });

  it('S1-60 S1-15 all tools failed is a valid state: a verdict, degraded, with the gaps counted', () => {
    const verdict = decide({
      evidence: evidenceOf(failed('scam_db', 'timeout'), failed('exa_search', 'network')),
      draft: answer('low'),
    });
    expect(verdict).toMatchObject({ degradedBy: ['lookups_failed'], degradedNote: '2 of 2 look-ups failed' });
    expect(verdict.reasons).toContain('2 of 2 questions to the tools have no answer.');
  });

  it('S1-01 where no text could be read nothing was judged: a person looks at it', () => {
    const verdict = decide({ brief: { text: '', textSource: 'none' }, draft: answer('low') });
    expect(verdict).toMatchObject({ disposition: 'review', degraded: true });
  });

  it('S1-23 says what was set right in the answer', () => {
    expect(decide({ draft: { remarks: ['confidence_clamped'] } })).toMatchObject({ degraded: false });
    const missing = decide({ draft: { remarks: ['confidence_missing'] } });
    expect(missing.degraded).toBe(true);
    expect(missing.reasons.join(' ')).toContain('50 was taken');
  });

  it('takes the riskiest of several units, and refuses none at all or an answer that is not its own', () => {
    const verdict = riskLevel.decide(
      [unit({ draft: answer('low') }), unit({ draft: answer('medium') })],
      aRunSettings(),
      at,
    );
    expect(verdict.outcome['riskLevel']).toBe('medium');
    expect(() => riskLevel.decide([], aRunSettings(), at)).toThrow(
      expect.objectContaining({ reasonCode: 'no_units' }),
    );
    expect(() => decide({ draft: { answer: {} } })).toThrow(
      expect.objectContaining({ reasonCode: 'bad_draft' }),
    );
  });
});
