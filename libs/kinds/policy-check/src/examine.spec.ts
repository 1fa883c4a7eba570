import { OFF, RETURNED, reviewAnswer } from './testing/reviewed-answer.js';
import { policyCheck } from './playbook.js';

const answer = (over: object): string =>
  JSON.stringify({
    claims: [{ id: 'C1', answer: 'supports', quote: 'within 30 days of delivery', ...over }],
  });

describe('T-02 the cross-examination of a criterion', () => {
  it('asks one question with the sections that were read and the facts, and approves what it confirms', async () => {
    const { calls, verdict, markdown, review } = await reviewAnswer(RETURNED, [answer({})]);
    expect(calls.map(({ request: { level, promptId } }) => [level, promptId])).toEqual([
      ['low', 'policy-check/cross-examination@2'],
    ]);
    const shown = calls[0]!.request.messages.map(({ content }) => content).join('\n');
    expect(shown).toContain('C1 [3.1 Period, facts]: The criterion is met: 18 of 30 days had passed.');
    expect(shown).toContain('delivered_on = 2026-01-04');
    expect(verdict).toMatchObject({ disposition: 'dismiss', confidence: 0.9 });
    expect(review.crossExamination).toMatchObject({ failed: null, claims: [{ answer: 'supports' }] });
    expect(markdown).toContain('It confirms the answer: “within 30 days of delivery” \\[3.1 Period\\].');
  });

  it.each([
    ['contradicts', { answer: 'contradicts', quote: 'returned_on = 2026-01-22' }, 'answer_contradicted'],
    ['does not find', { answer: 'not_in_it', quote: '' }, 'answer_not_supported'],
  ])('refers a case whose claim it %s, and states the claim no more', async (_title, over, reasonCode) => {
    for (const status of ['MET', 'NOT_MET'] as const) {
      const { verdict, criterion, markdown } = await reviewAnswer({ ...RETURNED, status }, [answer(over)]);
      expect(verdict).toMatchObject({ disposition: 'review', confidence: 0, degraded: false });
      expect(criterion).toMatchObject({ status: 'UNCERTAIN', reasonCode, unproven: RETURNED.why });
      expect(criterion.rationale).not.toContain(RETURNED.why);
      expect(verdict.reasons[0]).toMatch(/^A second model question found/);
      expect(markdown).toContain('### Stated without proof');
    }
  });

  it('approves nothing that no examiner confirmed, and keeps a refusal', async () => {
    const script = ['No answer.', 'No answer.'];
    const met = await reviewAnswer(RETURNED, script);
    expect(met.verdict).toMatchObject({ disposition: 'review', confidence: 0.5, degraded: false });
    expect(met.criterion).toMatchObject({ reasonCode: 'answer_not_examined', claimed: { status: 'MET' } });
    expect(met.verdict.reasons[0]).toMatch(/^A second model question did not confirm the answer: /);
    const refused = await reviewAnswer({ ...RETURNED, status: 'NOT_MET' }, script);
    expect(refused.verdict).toMatchObject({ disposition: 'act', confidence: 0.9 });
    expect(refused.verdict.reasons[0]).toMatch(/^A second model question did not confirm the answer: /);
  });

  it('lets no words of a confidential section leave with the reasons', async () => {
    const at = {
      ...RETURNED,
      confidential: true,
      quotes: [['3.1 Period', 'Goods may be returned']] as [string, string][],
      why: 'Yes.',
    };
    const { verdict, markdown } = await reviewAnswer(at);
    const sent = JSON.stringify(policyCheck.outward(verdict).verdict('c'));
    expect(verdict.disposition).toBe('review');
    for (const text of [sent, markdown.replace(/^- “.*$/gm, '')])
      expect(text).not.toContain('within 30 days');
  });

  it('asks nothing with the option off', async () => {
    expect((await reviewAnswer(RETURNED, [], OFF)).calls).toEqual([]);
  });
});
