import { evidenceOf, textSignals } from '../../testing/scam-builders.js';
import { againstDismissal } from './decide.js';
import { options } from './options.js';

const LIKE_SCAMS = /^Its words are more like those of known scams than of harmless messages: 0\.\d\d\.$/;

function against(likeness: number | null, legitimacy: string[], ...kinds: string[]): string[] {
  const found = textSignals(...kinds);
  const result = { ...(found.result as object), likeness, legitimacy: legitimacy.map((kind) => ({ kind })) };
  const items = evidenceOf({ ...found, result });
  return againstDismissal({ entities: {} }, items, options.read({}));
}

describe('S1-17 (b) without a model, what speaks against dismissing a text by its words', () => {
  it.each([
    ['like those of scams', 0.75, [], true],
    ['a little like those of scams', 0.64, [], false],
    ['like those of scams, and a notice', 0.91, ['no_action'], false],
    ['much like those of scams, and a notice', 0.92, ['no_action'], true],
    ['of no known likeness', null, [], false],
  ])('%s (%s)', (_, likeness, legitimacy, isAgainst) => {
    expect(against(likeness, legitimacy)).toEqual(isAgainst ? [expect.stringMatching(LIKE_SCAMS)] : []);
  });

  it('a sign speaks against it, however harmless the words', () => {
    expect(against(0, [], 'asks_money')).toEqual(['The text itself shows signs of a scam: asks for money.']);
  });

  it('both are said', () => {
    expect(against(0.8, ['terms'], 'asks_money')).toEqual([
      'The text itself shows signs of a scam: asks for money.',
      'Its words are more like those of known scams than of harmless messages: 0.80.',
    ]);
  });

  it('evidence of a release without the model counts as before', () => {
    const evidence = evidenceOf(textSignals());
    expect(againstDismissal({ entities: {} }, evidence, options.read({}))).toEqual([]);
  });
});
