import type { Brief, EvidenceItem, Verdict } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import {
  aBrief,
  aDraft,
  aReview,
  evidenceOf,
  failedItem,
  reports,
  textSignals,
} from '@casefile/pipeline/testing/scam-builders';
import { riskLevel } from './decide.js';

describe('an unconfirmed risk', () => {
  it.each<[string, string, Partial<EvidenceItem>[], object, boolean]>([
    ['low that needs review', 'low', [textSignals('asks_for_money')], { method: 'heuristic' }, true],
    ['low of rules that is dismissed', 'low', [textSignals()], { method: 'heuristic' }, false],
    ['low of a model that the rules reach too', 'low', [textSignals()], {}, false],
    ['low of a model without a look-up', 'low', [], {}, true],
    [
      'low of a model on what the sender supplied alone',
      'low',
      [{ ...textSignals(), given: true }],
      {},
      true,
    ],
    [
      'low of a model after a failed look-up',
      'low',
      [failedItem('scam_db', 'timeout'), textSignals()],
      {},
      true,
    ],
    ['medium without a look-up', 'medium', [], {}, false],
    ['high of a model without a look-up', 'high', [], {}, true],
    ['high of a model against the rules', 'high', [textSignals()], {}, true],
    ['high of a model with a scam report', 'high', [reports(3)], {}, false],
    ['high of rules', 'high', [], { method: 'heuristic' }, false],
  ])(
    'T-21 T-33 S1-26 states an unconfirmed level in the outcome, never low or high: %s',
    (_, level, items, draft, marked) => {
      const evidence = evidenceOf(...items);
      const unit = {
        unit: '',
        brief: aBrief({ entities: {} }),
        evidence,
        draft: aDraft({ answer: { riskLevel: level, confidence: 85 }, ...draft }),
        review: aReview(),
        report: { title: '', markdown: '', citations: [] },
      };
      const { outcome } = riskLevel.decide([unit], aRunSettings(), '2026-01-05T10:00:09.000Z');
      expect(String(outcome['explanation']).includes(`Unconfirmed: this ${level} risk`)).toBe(marked);
      expect(outcome).toMatchObject({ riskLevel: marked ? 'unconfirmed' : level, confidence: 85 });
    },
  );
});

describe('a verdict with an empty base of scam patterns', () => {
  it.each([
    [0, true],
    [undefined, false],
  ])('T-20 states it among its reasons: %s patterns', (patterns, isStated) => {
    const read = textSignals();
    const item = { ...read, result: { ...(read.result as object), ...(patterns === 0 ? { patterns } : {}) } };
    const unit = {
      unit: '',
      brief: aBrief({ entities: {} }),
      evidence: evidenceOf(item),
      draft: aDraft(),
      review: aReview(),
      report: { title: '', markdown: '', citations: [] },
    };
    const { reasons } = riskLevel.decide([unit], aRunSettings(), '2026-01-05T10:00:09.000Z');
    expect(reasons.some((reason) => reason.startsWith('There are no scam patterns'))).toBe(isStated);
  });
});

describe('a low risk of a text whose alert named no kind', () => {
  const order = { rule: 'order', why: 'It has a text or an image to judge.' } as const;
  const also = { ...order, why: `${order.why} toy: The text describes an outage.`, others: ['toy'] };
  const shop = 'The shop opens at nine on Mondays';
  it.each<[string, Partial<Brief>, 'llm' | 'heuristic', Verdict['disposition'], RegExp | null]>([
    [
      'no kind was named and it has no addressee',
      { text: shop, chosenBy: order },
      'llm',
      'review',
      /no sign of a message/,
    ],
    [
      'the same, judged by rules',
      { text: shop, chosenBy: order },
      'heuristic',
      'review',
      /no sign of a message/,
    ],
    [
      'another kind fits as well',
      { text: 'Hi, all is down', chosenBy: also },
      'llm',
      'review',
      /also fits toy/,
    ],
    ['it speaks to a person', { text: 'Hi Tom, see you at nine', chosenBy: order }, 'llm', 'dismiss', null],
    [
      'a setting named the kind',
      { text: shop, chosenBy: { ...order, rule: 'setting' } },
      'llm',
      'dismiss',
      null,
    ],
    ['the alert named the kind', { text: shop }, 'llm', 'dismiss', null],
  ])('T-11 a low where %s', (_, over, method, disposition, why) => {
    const brief = { entities: {}, ...over };
    const unit = {
      unit: '',
      brief: aBrief(brief),
      evidence: evidenceOf(textSignals()),
      draft: aDraft({ answer: { riskLevel: 'low', confidence: 85 }, method }),
      review: aReview(),
      report: { title: '', markdown: '', citations: [] },
    };
    const verdict = riskLevel.decide([unit], aRunSettings(), '2026-01-05T10:00:09.000Z');
    expect(verdict.disposition).toBe(disposition);
    if (why === null) expect(verdict.reasons.join(' ')).not.toMatch(/playbook was named/);
    else expect(verdict.reasons[0]).toMatch(why);
    expect(verdict.outcome['riskLevel']).toBe(disposition === 'review' ? 'unconfirmed' : 'low');
  });
});
