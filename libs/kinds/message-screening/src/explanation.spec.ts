import type { EvidenceItem } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { evidenceOf, failedItem, reports, textSignals } from '@casefile/pipeline/testing/scam-builders';
import { aMatch, aScreeningInput, similarScams } from './testing/screening-builders.js';
import { messageScreening, rules } from './playbook.js';
import { judgeByRules } from './judge-by-rules.js';

const settings = aRunSettings({ playbookVersion: messageScreening.version });
const input = (...items: Partial<EvidenceItem>[]) => aScreeningInput(evidenceOf(...items));
const explanation = (...items: Partial<EvidenceItem>[]) =>
  rules.answer(input(...items), '', settings).explanation;

describe('T-21 the explanation of a screening by rules', () => {
  it('states the answer, the strongest findings with their counts, how they weigh together, and what is missing', () => {
    const items = [
      textSignals('asks_secret', 'threat', 'poses_bank', 'deadline'),
      similarScams(aMatch(), aMatch({ number: 2, similarity: 0.6 })),
      reports(6),
      failedItem('scam_db', 'timeout'),
    ];
    expect(explanation(...items)).toBe(
      'A scam, judged by rules without a language model. 4 signs of a scam, the strongest: the message ' +
        'asks for a code, password, card or bank details ("pay now"), threatens with a loss, a block or a penalty ("pay now"), ' +
        'and speaks as a bank or payment service ("pay now") [E1]. ' +
        'It is close to the known scam pattern "Account blocked for missing KYC" (HIGH, 0.92) and to 1 other [E2]. ' +
        'The scam database holds 6 reports on +447700900123 [E3]. ' +
        'Together with the scam reports this weighs 7; a plain sign weighs 1, and the rules call a message a scam from 2. ' +
        'What is missing: the scam database gave no answer about +447700900123 (it did not answer in time).',
    );
  });

  it('says how sure it is, and of a harmless message what was found', () => {
    expect(explanation(textSignals('asks_money', 'threat'))).toMatch(/^Possibly a scam, judged by rules/);
    expect(explanation(textSignals())).toBe(
      'Probably no scam, judged by rules without a language model. The message shows no sign of a scam [E1].',
    );
    expect(explanation(textSignals('asks_money'))).toMatch(
      /^Unclear, judged by rules.*One sign of a scam.*weighs 1;/,
    );
  });

  it('T-20 states that there are no patterns', () => {
    const nothing = { ...similarScams(), result: { matches: [], patterns: 0 } };
    expect(explanation(textSignals(), nothing)).toMatch(
      /What is missing: there are no scam patterns to compare the message with\.$/,
    );
  });

  it('of a message in an unread language states the signs that need no language', () => {
    const link = textSignals('suspicious_link');
    const found = { ...(link.result as object), isRead: false };
    expect(explanation({ ...link, result: found })).toBe(
      'The message was not judged: no language model is configured, and the rules do not read its language. ' +
        'One sign of a scam: the message has a look-alike, fresh-looking or shortened link ("pay now") [E1].',
    );
  });

  it('changes words alone, and nothing where nothing was judged', () => {
    const judged = input(textSignals('asks_money', 'threat'), similarScams(aMatch()));
    const before = judgeByRules(judged);
    const now = rules.answer(judged, '', settings);
    const unworded = (draft: typeof now) => ({
      ...draft,
      explanation: '',
      answer: { ...draft.answer, reasoning: '' },
      claims: draft.claims.map(({ citations }) => citations),
    });
    expect(unworded(now)).toEqual(unworded(before));
    const unread = input(failedItem('text_signals', 'timeout'));
    expect(rules.answer(unread, '', settings)).toEqual(judgeByRules(unread));
  });
});
