import { aRunSettings } from '@casefile/contracts/testing';
import { aBrief, aReview, evidenceOf, textSignals } from '@casefile/pipeline/testing/scam-builders';
import { riskLevel } from './decide.js';
import { heuristic } from './heuristic.js';

const LINK = { url: ['https://pay.example/x'] };

/** The verdict by rules on a text whose signs weigh so much, with a score of the message model. */
function verdict(
  weight: number,
  score: number | null,
  { entities = LINK as Record<string, string[]>, near = '' } = {},
) {
  const found = textSignals('asks_money', 'threat', 'deadline', 'poses_police');
  const result = {
    ...(found.result as object),
    weight,
    message_model: score === null ? null : { score, words: ['arrest', 'pay'] },
    nearestPatterns: near === '' ? [] : [{ level: near, similarity: 0.9 }],
  };
  const brief = aBrief({ entities });
  const evidence = evidenceOf({ ...found, result });
  const draft = { ...heuristic({ brief, evidence }), strategy: 'heuristic' };
  const unit = {
    unit: '',
    brief,
    evidence,
    draft,
    review: aReview(),
    report: { title: '', markdown: '', citations: [] },
  };
  return riskLevel.decide([unit], aRunSettings(), '2026-01-05T10:00:09.000Z');
}

describe('T-22 by rules, the text itself sets a floor under the risk', () => {
  it.each([
    ['signs that are enough to engage, and a link', [3.5, null], 'high', 'act'],
    ['the message model makes up for what the signs lack', [1.5, 0.97], 'high', 'act'],
    ['too little for either', [3.4, null], 'unconfirmed', 'review'],
    ['the message model alone', [0, 0.99], 'unconfirmed', 'review'],
  ] as const)('%s', (_, [weight, score], level, disposition) => {
    const made = verdict(weight, score);
    expect(made).toMatchObject({ outcome: { riskLevel: level }, disposition });
    expect(made.outcome['floor']).toBe(level === 'unconfirmed' ? undefined : 'text_signals');
  });

  it('is medium, for a person, where nothing is named that could be followed, called or paid', () => {
    const made = verdict(4, null, { entities: { domain: ['you.my'] } });
    expect(verdict(4, null, { entities: { domain: ['bank-login.example'] } }).disposition).toBe('act');
    expect(made).toMatchObject({
      outcome: { riskLevel: 'medium', floor: 'text_signals' },
      disposition: 'review',
    });
  });

  it('is medium where only a known pattern makes it enough', () => {
    expect(verdict(2.5, null, { near: 'HIGH' }).outcome).toMatchObject({
      riskLevel: 'medium',
      confidence: 70,
    });
  });

  it('explains the level by the strongest findings and their number, as a person would', () => {
    const { outcome, reasons, citations } = verdict(4, 0.98);
    expect(outcome['explanation']).toBe(
      'High risk by the text itself, which also names what the receiver is to follow, call or pay. It shows 4 signs of a scam: ' +
        'asks for money ("pay now"); threatens with a loss, a block or a penalty ("pay now"); sets a deadline ("pay now") and 1 more. ' +
        'Its words are like those of known scams (0.98 of 1), above all "arrest", "pay". No look-up adds to it.',
    );
    expect(reasons[0]).toBe('Risk level high with confidence 95 of 100, by what the text itself says.');
    expect(citations).toEqual(['E1']);
  });

  it('does not exist for evidence of a release before the message model: its verdict stays', () => {
    const evidence = evidenceOf({ ...textSignals('a', 'b', 'c', 'd', 'e') });
    expect(heuristic({ brief: aBrief({ entities: LINK }), evidence }).answer).toMatchObject({
      riskLevel: 'low',
    });
  });
});
