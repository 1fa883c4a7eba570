import type { Draft, RefutedCitation, Review } from '@casefile/contracts';
import { fakePorts } from '@casefile/pipeline/testing/fake-ports';
import { aCriterionDraft, aCriterionResult } from './testing/policy-builders.js';
import { aBrief } from '@casefile/pipeline/testing/scam-builders';
import { verifiedCitations } from './review.js';

const quote: RefutedCitation = {
  citation: { kind: 'quote', nodeId: '0012', quote: 'within 90 days of the loss' },
  state: 'says_otherwise',
  problem: 'quote_altered',
  instead: ['within 30 days of the loss date'],
};
const fact: RefutedCitation = {
  citation: { kind: 'fact', fact: 'loss_date', value: '2026-01-01' },
  state: 'does_not_exist',
  problem: 'unknown_fact',
  instead: [],
};
const absence: RefutedCitation = {
  citation: { kind: 'absence', of: 'policy', asked: 'flood' },
  state: 'unproven',
  problem: 'never_looked_up',
  instead: [],
};

async function review(draft: Draft): Promise<Review> {
  const input = { brief: aBrief(), evidence: { items: [] }, draft, previous: {} };
  const outcome = await verifiedCitations(input, fakePorts());
  if (outcome.kind !== 'done') throw new Error('a mechanical review is always done');
  return outcome.artifact;
}
const reviewOf = (...refuted: RefutedCitation[]): Promise<Review> =>
  review(aCriterionDraft(aCriterionResult({ refuted })));

describe('the reviewer verified-citations', () => {
  it('S4-21 passes an answer whose citations all hold', async () => {
    expect(await reviewOf()).toEqual({ ruling: 'PASS', findings: [], reviewer: 'verified-citations' });
  });

  it('S4-21 warns of each that does not, and says what is wrong with it', async () => {
    const { ruling, findings } = await reviewOf(quote, fact, absence);
    expect(ruling).toBe('WARN');
    expect(findings).toEqual([
      {
        id: 'quote_altered:quote:0012:“within 90 days of the loss”',
        code: 'quote_altered',
        message:
          'A citation does not hold: 0012, “within 90 days of the loss”: the section says it in other words.',
      },
      expect.objectContaining({ id: 'unknown_fact:fact:loss_date:2026-01-01', code: 'unknown_fact' }),
      expect.objectContaining({ id: 'never_looked_up:absence:policy:flood', code: 'never_looked_up' }),
    ]);
  });

  it('S4-21 gives the same citation the same id, once, and leaves the draft as it is', async () => {
    const draft = aCriterionDraft(aCriterionResult({ refuted: [quote, quote] }));
    const before = structuredClone(draft);
    expect((await review(draft)).findings).toEqual((await reviewOf(quote)).findings);
    expect(draft).toEqual(before);
  });

  it('S4-21 lists at most 50, each in one line', async () => {
    const many = Array.from({ length: 80 }, (_, i) => ({
      ...quote,
      citation: { kind: 'quote' as const, nodeId: '0001', quote: `line ${i}\n# of ${'x'.repeat(3_000)}` },
    }));
    const { findings } = await reviewOf(...many);
    expect(findings).toHaveLength(50);
    expect(findings.every(({ message }) => message.length < 500 && !message.includes('\n'))).toBe(true);
  });

  it('S4-21 warns of an answer that does not say whether it was verified', async () => {
    const { answer, ...draft } = aCriterionDraft(aCriterionResult());
    const { refuted: _left, ...rest } = answer;
    expect(await review({ ...draft, answer: rest })).toMatchObject({
      ruling: 'WARN',
      findings: [{ code: 'not_verified' }],
    });
  });
});
