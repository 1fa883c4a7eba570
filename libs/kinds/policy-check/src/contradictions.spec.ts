import type { Review } from '@casefile/contracts';
import fc from 'fast-check';
import { isContradiction } from '@casefile/pipeline/parts/contradicting';
import { sectionsFound } from './testing/policy-builders.js';
import { OFF, RETURNED, reviewAnswer, type AnswerCase } from './testing/reviewed-answer.js';

const found = ({ findings }: Review) => findings.filter(isContradiction).map(({ code }) => code);

describe('T-01 what the record says against an answer', () => {
  const interval = { ...RETURNED, facts: { delivered_on: '2026-01-04', returned_on: '2026-02-20' } };
  const cases: [title: string, at: AnswerCase, by: string[]][] = [
    ['an interval over the quoted limit', interval, ['contradicts_interval']],
    [
      'an amount over the quoted limit',
      {
        question: 'Is the price permitted?',
        sections: { '3 Price': 'The list price is up to 52,000 EUR.' },
        facts: { list_price: ['57,300', 'EUR'] },
        quotes: [['3 Price', 'The list price is up to 52,000 EUR.']],
      },
      ['contradicts_claim_quantity'],
    ],
    [
      'a German amount with points for thousands',
      {
        question: 'Ist der Preis zulässig?',
        language: 'de',
        sections: { '3 Preis': 'Der Preis beträgt höchstens 1.000 EUR.' },
        facts: { preis: ['1.560', 'EUR'] },
        quotes: [['3 Preis', 'Der Preis beträgt höchstens 1.000 EUR.']],
      },
      ['contradicts_claim_quantity'],
    ],
    [
      'times of a day further apart than the limit',
      {
        question: 'Was the dish served in time?',
        sections: { '5 Time': 'Dishes are served within three hours of cooking.' },
        facts: { cooked_at: '10:00', served_at: '14:10' },
        quotes: [['5 Time', 'Dishes are served within three hours of cooking.']],
      },
      ['contradicts_interval'],
    ],
    [
      'dates in the wrong order',
      {
        question: 'Was consent obtained properly?',
        sections: { '2 Consent': 'Written consent is obtained before the interview.' },
        facts: { consent_on: '2026-01-19', interview_on: '2026-01-12' },
        quotes: [['2 Consent', 'Written consent is obtained before the interview.']],
      },
      ['contradicts_claim_order'],
    ],
    [
      'a quote that leaves out the limit of its sentence',
      { ...RETURNED, quotes: [['3.1 Period', 'Goods may be returned']], why: 'Returns are accepted.' },
      ['contradicts_claim_scope'],
    ],
    [
      'a quote that holds in a special case only',
      {
        question: 'Is the hotel within the limit?',
        sections: {
          '5.1 Hotels': 'A night is reimbursed up to 140 EUR; in London and Zurich up to 190 EUR.',
        },
        facts: { city: 'Lyon', night_price: ['165', 'EUR'] },
        quotes: [['5.1 Hotels', 'up to 190 EUR']],
        why: 'Up to 190 EUR are reimbursed.',
      },
      ['contradicts_claim_scope'],
    ],
  ];

  it.each(cases)('%s: the case is referred, with the finding as its first reason', async (_title, at, by) => {
    const { review, verdict, criterion, markdown, calls } = await reviewAnswer(at);
    expect(found(review)).toEqual(by);
    expect(verdict).toMatchObject({
      disposition: 'review',
      outcome: { status: 'UNCERTAIN' },
      degraded: false,
    });
    expect(verdict.reasons[0]).toBe(review.findings[0]!.message);
    expect(criterion).toMatchObject({
      reasonCode: 'answer_contradicted',
      claimed: { status: 'MET' },
      confidence: 0,
    });
    expect(criterion.rationale).toContain('The answer “met” does not stand.');
    expect(markdown).toContain('### Stated without proof');
    // What the program finds needs no question.
    expect(calls).toEqual([]);
  });

  const honest: [title: string, at: AnswerCase][] = [
    ['an interval within the limit', RETURNED],
    [
      'a limit that only holds without the receipt that is there',
      {
        question: 'May the return be accepted?',
        sections: { '3.4 Receipt': 'A return without a receipt is accepted up to 40 EUR.' },
        facts: { receipt: 'original', price: ['212', 'EUR'] },
        quotes: [['3.4 Receipt', 'A return without a receipt is accepted up to 40 EUR.']],
        why: 'The receipt is there.',
      },
    ],
    [
      'two figures of which one is kept',
      {
        question: 'Is the price permitted?',
        sections: { '3 Price': 'The price is up to 140 EUR; in London up to 190 EUR.' },
        facts: { city: 'London', price: ['165', 'EUR'] },
        quotes: [['3 Price', 'in London up to 190 EUR']],
      },
    ],
    [
      'a quote in parts whose reason states the limit',
      { ...RETURNED, quotes: [['3.1 Period', 'Goods may be returned']] },
    ],
  ];
  it.each(honest)('says nothing of %s', async (_title, at) => {
    const { review, verdict } = await reviewAnswer(at, [], OFF);
    expect(found(review)).toEqual([]);
    expect(verdict.disposition).toBe('dismiss');
  });

  it('holds an answer against what the rules conclude, and asks nothing where both agree', async () => {
    const text = 'A claim must be notified to us within 30 days of the loss date.';
    const at = (notified: string, status: 'MET' | 'NOT_MET'): AnswerCase => ({
      question: 'Was the claim notified to the insurer in time, within 30 days of the loss date?',
      sections: { '4.1 Notice of claims': text },
      facts: { loss_date: '2026-04-02', claim_notified_on: notified },
      quotes: [['4.1 Notice of claims', text]],
      evidence: sectionsFound({ title: '4.1 Notice of claims', text }),
      status,
    });
    const against = await reviewAnswer(at('2026-04-20', 'NOT_MET'));
    expect(found(against.review)).toEqual(['contradicts_rules']);
    expect(against.review.findings[0]!.message).toContain('the rules reach “met”');
    expect(against.verdict.disposition).toBe('review');
    const agreed = await reviewAnswer(at('2026-04-20', 'MET'));
    expect(agreed).toMatchObject({ calls: [], verdict: { disposition: 'dismiss' } });
  });

  it('computes from figures on either side of the limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5_000 }),
        fc.integer({ min: 1, max: 5_000 }),
        async (limit, price) => {
          const text = `The price is up to ${limit} EUR.`;
          const at: AnswerCase = {
            question: 'Is the price permitted?',
            sections: { '1 Price': text },
            facts: { price: [String(price), 'EUR'] },
            quotes: [['1 Price', text]],
          };
          const { verdict } = await reviewAnswer(at, [], OFF);
          expect(verdict.disposition).toBe(price > limit ? 'review' : 'dismiss');
        },
      ),
      { numRuns: 30 },
    );
  });
});
