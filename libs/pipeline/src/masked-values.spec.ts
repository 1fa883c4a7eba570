import { findLinks } from './entities/links.js';
import { readTextSignals } from './text-signals/read-text-signals.js';
import { linkSignals } from './text-signals/structural-signals.js';

describe('S2-48 masked values in a text', () => {
  it.each([
    ['https://[masked]@evil.example/login', 'https://%5Bmasked%5D@evil.example/login'],
    [
      'https://bank.example:[masked]@evil.example/login',
      'https://bank.example:%5Bmasked%5D@evil.example/login',
    ],
    ['https://evil.example/login?token=[masked]&id=7', 'https://evil.example/login?token=[masked]&id=7'],
  ])('leave scheme, host and path of a link: %s', (text, url) => {
    expect(findLinks(`Verify at ${text} now`)).toMatchObject({ urls: [url], domains: ['evil.example'] });
  });

  it('leave the note that a link leads elsewhere', () => {
    const text = 'https://bank.example:[masked]@evil.example/';
    expect(findLinks(text).notes).toEqual(['A link shows "bank.example" but leads to "evil.example".']);
    expect(linkSignals(text).signals).toMatchObject([{ kind: 'suspicious_link', words: text }]);
  });

  it.each([
    'Your Acme login token:%s is valid for five minutes. Do not share it with anybody.',
    'Use password:%s to sign in to your parcel account, then pay the fee at https://evil.example/pay',
  ])('read as the code that they replace: %s', (text) => {
    const [sent, masked] = ['48291377', '[masked]'].map((code) => readTextSignals(text.replace('%s', code)));
    expect(sent!.messageModel).not.toBeNull();
    expect(masked!.messageModel?.score).toBe(sent!.messageModel?.score);
    expect(masked!.signals.map(({ kind }) => kind)).toEqual(sent!.signals.map(({ kind }) => kind));
  });

  it.each([
    ['Your Acme login code is %s. Do not share it with anybody.', '482913', '[code:6]'],
    ['Tell our agent the OTP %s now, or your account is blocked', '4829', '[code:4]'],
    ['G-%s is your verification code.', '48291377', '[code:8]'],
    ['Enter %s to confirm: https://evil.example/pay', 'A48291', '[code:6a]'],
    ['आपका ओटीपी %s है। इसे किसी को न बताएं', '482913', '[code:6]'],
  ])('of a one-time code read as a code of its length: %s', (text, code, placeholder) => {
    const [sent, masked] = [code, placeholder].map((one) => readTextSignals(text.replace('%s', one)));
    expect(masked!.messageModel?.score).toBe(sent!.messageModel?.score);
    expect(masked!.signals.map(({ kind }) => kind)).toEqual(sent!.signals.map(({ kind }) => kind));
  });
});
