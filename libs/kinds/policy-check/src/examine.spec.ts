import { OFF, RETURNED, reviewAnswer, type AnswerCase } from './testing/reviewed-answer.js';
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

  it('T-34 decides nothing that no examiner confirmed, neither an approval nor a refusal', async () => {
    const script = ['No answer.', 'No answer.'];
    const met = await reviewAnswer(RETURNED, script);
    expect(met.verdict).toMatchObject({ disposition: 'review', confidence: 0.5, degraded: false });
    expect(met.criterion).toMatchObject({ reasonCode: 'answer_not_examined', claimed: { status: 'MET' } });
    expect(met.verdict.reasons[0]).toMatch(/^A second model question did not confirm the answer: /);
    const refused = await reviewAnswer({ ...RETURNED, status: 'NOT_MET' }, script);
    expect(refused.verdict).toMatchObject({ disposition: 'review', confidence: 0.5, degraded: false });
    expect(refused.criterion).toMatchObject({
      reasonCode: 'answer_not_examined',
      claimed: { status: 'NOT_MET' },
    });
    expect(refused.verdict.reasons[0]).toMatch(/^A second model question did not confirm the answer: /);
  });

  const LATE: AnswerCase = {
    ...RETURNED,
    facts: { delivered_on: '2026-01-04', returned_on: '2026-02-20' },
    status: 'NOT_MET',
    why: '47 days passed; 30 are allowed.',
  };

  it('T-34 keeps a refusal that an examination confirms by the same subject and quantity', async () => {
    const { verdict } = await reviewAnswer(LATE, [answer({})]);
    expect(verdict).toMatchObject({ disposition: 'act', confidence: 0.9 });
    const ofFacts = await reviewAnswer(LATE, [answer({ quote: 'returned_on = 2026-02-20' })]);
    expect(ofFacts.verdict.disposition).toBe('act');
  });

  it.each([
    ['another subject', 'Hired cars need a full tank.', 'about another subject'],
    [
      'another quantity',
      'Opened electronics may be returned within 14 days of delivery.',
      'another quantity',
    ],
    ['no quantity', 'Goods may be returned', 'another quantity'],
  ])('T-34 refers a refusal whose examination quotes %s', async (_title, quote, why) => {
    const sections = { ...LATE.sections, '9 Other': `${quote}.`.replace('..', '.') };
    const at: AnswerCase = { ...LATE, sections, quotes: [...LATE.quotes, ['9 Other', quote]] };
    // The cited quotes are those of section 3.1 only, so that the figure of the other section is not cited.
    const cited = quote.includes('14') ? { ...at, quotes: LATE.quotes } : at;
    const { verdict, criterion } = await reviewAnswer(cited, [answer({ quote })]);
    expect(verdict).toMatchObject({ disposition: 'review', degraded: false });
    expect(criterion.status).toBe('UNCERTAIN');
    if (criterion.reasonCode === 'refusal_not_confirmed') expect(verdict.reasons[0]).toContain(why);
  });

  it('T-34 refers a refusal that nobody examined, whatever its confidence', async () => {
    const { verdict, criterion } = await reviewAnswer(LATE, [], OFF);
    expect(verdict).toMatchObject({ disposition: 'review', confidence: 0.5 });
    expect(criterion).toMatchObject({
      reasonCode: 'refusal_not_confirmed',
      claimed: { status: 'NOT_MET', confidence: 0.9 },
    });
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
