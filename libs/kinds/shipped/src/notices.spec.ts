import { messageScreening, rules as screeningRules } from '@casefile/message-screening/playbook';
import type { Playbook } from '@casefile/pipeline/playbook';
import type { Rules } from '@casefile/pipeline/strategy';
import { readTextSignals } from '@casefile/pipeline/text-signals/read-text-signals';
import { rules as scamRules, scamVerdict } from '@casefile/scam-verdict/playbook';
import { dispositionByRules } from './testing/disposition-by-rules.js';
import notices from './testing/notices.json' with { type: 'json' };

const KINDS: [name: string, kind: Playbook, rules: Rules, mode: 'normal' | 'strict'][] = [
  ['scam-verdict', scamVerdict, scamRules, 'normal'],
  ['message-screening, normal', messageScreening, screeningRules, 'normal'],
  ['message-screening, strict', messageScreening, screeningRules, 'strict'],
];

describe.each(KINDS)('T-22 a request before an accusation: %s', (_name, kind, rules, mode) => {
  // Even numbers that a look-up finds valid do not make a scam harmless.
  const judge = (text: string) => dispositionByRules(kind, rules, text, { mode, arePhonesValid: true });

  it.each(notices.dismissed)('dismisses a notice or code that asks for nothing: %s', async (text) =>
    expect(await judge(text)).toBe('dismiss'),
  );
  it.each(notices.notActedOn)('does not act on a notice: %s', async (text) =>
    expect(await judge(text)).not.toBe('act'),
  );
  it.each(notices.scams)('does not dismiss a scam that looks like a notice: %s', async (text) =>
    expect(await judge(text)).not.toBe('dismiss'),
  );
  it.each(notices.firstContacts)('reviews a superior who asks for an answer only: %s', async (text) =>
    expect(await judge(text)).toBe('review'),
  );
});

describe('T-22 what a text asks for', () => {
  it.each([
    ['You have paid 150.00. Call 0800 000 0004', false],
    ['You have paid 150.00. Send it back', true],
    ['Your office opens at nine. Call 0800 000 0004', true],
    ['440917 is your code. Never share it', false],
    ['440917 is your code. If it was not you, reply NO', true],
    ['440917 is your code. We need it to stop the payment', true],
    ['Use 440917 to log in', false],
    ['You need to log in', true],
    ['Transfer of 150.00 received. Ref no 609912345678', false],
    ['You received 150.00, transfer it back', true],
    ['आपका कोड 482913 है। यहाँ आइए', true],
  ])('%s', (text, asks) => expect(readTextSignals(text).asks).toBe(asks));

  it('names of offices and fees in a notice are notes, and a request makes them signs', () => {
    const notice = readTextSignals('You have withdrawn 700.00 (Fee 20, Govt Levy 3) from your account.');
    expect(notice.signals).toEqual([]);
    expect(notice.legitimacy.map(({ kind }) => kind)).toContain('states_done');
    const scam = readTextSignals('You have withdrawn 700.00. Pay the release fee of 20.00 to the police.');
    expect(scam.signals.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['asks_fee']));
    expect(scam.legitimacy.map(({ kind }) => kind)).not.toContain('states_done');
  });
});
