import type { EvidenceItem } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { aBrief, aDraft, aReview, evidenceOf, failed, textSignals } from '../../testing/scam-builders.js';
import { riskLevel } from './decide.js';

describe('an unconfirmed low risk', () => {
  it.each<[string, string, Partial<EvidenceItem>[], object, boolean]>([
    ['low that needs review', 'low', [textSignals('asks_for_money')], { method: 'heuristic' }, true],
    ['low of rules that is dismissed', 'low', [textSignals()], { method: 'heuristic' }, false],
    ['low of a model after a look-up', 'low', [textSignals()], {}, false],
    ['low of a model without a look-up', 'low', [], {}, true],
    [
      'low of a model on what the sender supplied alone',
      'low',
      [{ ...textSignals(), given: true }],
      {},
      true,
    ],
    ['low of a model after a failed look-up', 'low', [failed('scam_db', 'timeout'), textSignals()], {}, true],
    ['medium without a look-up', 'medium', [], {}, false],
    ['high without a look-up', 'high', [], {}, false],
  ])('T-21 marks in the outcome whether a low risk is unconfirmed: %s', (_, level, items, draft, marked) => {
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
    expect(outcome['unconfirmed'] ?? false).toBe(marked);
    expect(String(outcome['explanation']).includes('Unconfirmed: this low risk')).toBe(marked);
    expect(outcome).toMatchObject({ riskLevel: level, confidence: 85 });
  });
});
