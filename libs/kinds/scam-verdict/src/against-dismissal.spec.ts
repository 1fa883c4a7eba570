import { aRunSettings } from '@casefile/contracts/testing';
import { aBrief, aDraft, aReview, evidenceOf, textSignals } from '@casefile/pipeline/testing/scam-builders';
import { reasonsAgainstDismissal } from '@casefile/pipeline/scam/against-dismissal';
import { riskLevel } from './decide.js';
import { options } from './options.js';

const LIKE_SCAMS = /^Its words are more like those of known scams than of harmless messages: 0\.\d\d\.$/;

function against(score: number | null, legitimacy: string[], ...kinds: string[]): string[] {
  const found = textSignals(...kinds);
  const result = {
    ...(found.result as object),
    message_model: score === null ? null : { score, words: [] },
    legitimacy: legitimacy.map((kind) => ({ kind })),
  };
  const items = evidenceOf({ ...found, result });
  return reasonsAgainstDismissal(aBrief({ entities: {} }), items, options.read({}));
}

describe('S1-17 (b) without a model, what speaks against dismissing a text by its words', () => {
  it.each([
    ['like those of scams', 0.88, [], true],
    ['a little like those of scams', 0.87, [], false],
    ['a little like those of scams, and a notice', 0.87, ['no_action'], false],
    ['like those of scams, and a notice', 0.88, ['no_action'], true],
    ['of no known likeness', null, [], false],
  ])('%s (%s)', (_, score, legitimacy, isAgainst) => {
    expect(against(score, legitimacy)).toEqual(isAgainst ? [expect.stringMatching(LIKE_SCAMS)] : []);
  });

  it('a sign speaks against it, however harmless the words', () => {
    expect(against(0, [], 'asks_money')).toEqual(['The text itself shows signs of a scam: asks for money.']);
  });

  it('both are said', () => {
    expect(against(0.88, ['terms'], 'asks_money')).toEqual([
      'The text itself shows signs of a scam: asks for money.',
      'Its words are more like those of known scams than of harmless messages: 0.88.',
    ]);
  });

  it('evidence of a release without the model counts as before', () => {
    const evidence = evidenceOf(textSignals());
    expect(reasonsAgainstDismissal(aBrief({ entities: {} }), evidence, options.read({}))).toEqual([]);
  });

  it('evidence of a release before the message model counts by the bounds of that release', () => {
    const found = textSignals();
    const of = (likeness: number) =>
      evidenceOf({ ...found, result: { ...(found.result as object), likeness } });
    expect(reasonsAgainstDismissal(aBrief({ entities: {} }), of(0.75), options.read({}))).toHaveLength(1);
    expect(reasonsAgainstDismissal(aBrief({ entities: {} }), of(0.74), options.read({}))).toEqual([]);
  });
});

describe('S1-17 (b) the reasons of a verdict on a low risk', () => {
  const reasons = (method: 'heuristic' | 'llm', ...signs: string[]) => {
    const answer = { riskLevel: 'low', confidence: 85, score: 25 };
    const unit = {
      unit: '',
      brief: aBrief({ entities: {} }),
      evidence: evidenceOf(textSignals(...signs)),
      draft: aDraft({ answer, method }),
      review: aReview(),
      report: { title: '', markdown: '', citations: [] },
    };
    return riskLevel.decide([unit], aRunSettings(), '2026-01-05T10:00:09.000Z').reasons;
  };

  it('say first why it is left to a person, and not how sure the rules are of it', () => {
    expect(reasons('heuristic', 'deadline').slice(0, 2)).toEqual([
      'The text itself shows signs of a scam: sets a deadline.',
      'Risk level low by the score of the look-ups, 25 of 100, which does not count what the text says.',
    ]);
  });

  it('say first how sure it is where it is dismissed, or where a model judged', () => {
    expect(reasons('heuristic')[0]).toBe('Risk level low with confidence 85 of 100, by the heuristic.');
    expect(reasons('llm')[0]).toMatch(/^Risk level low with confidence 85 of 100/);
  });
});
