import { countOf, countText, moneyText, percentText, rateText } from './numbers.js';
import { agoText, clockText, durationText, stampText, zonedText } from './time.js';
import { visible } from './visible.js';

describe('S2-32 figures for people', () => {
  it.each([
    [0, '0'],
    [12_345, '12,345'],
    [99_999, '99,999'],
    [1_234_567, '1.2M'],
  ])('counts %d as %s', (n, text) => expect(countText(n)).toBe(text));

  it('has a word for one and for many', () => {
    expect([countOf(1, 'call'), countOf(3, 'call'), countOf(2, 'reply', 'replies')]).toEqual([
      '1 call',
      '3 calls',
      '2 replies',
    ]);
  });

  it.each([
    [null, 'no price'],
    [0, '$0'],
    [0.0000421, '$0.000042'],
    [0.0312, '$0.031'],
    [0.5, '$0.50'],
    [12.4, '$12.40'],
  ])('writes %p dollars as %s', (usd, text) => expect(moneyText(usd)).toBe(text));

  it.each([
    [0.4, '0.4'],
    [12.3, '12'],
    [1_200, '1.2K'],
  ])('writes a rate of %d as %s', (rate, text) => expect(rateText(rate)).toBe(text));

  it.each([
    [0, '0 %'],
    [0.004, '0.4 %'],
    [0.97, '97 %'],
    [1, '100 %'],
  ])('writes a share of %d as %s', (share, text) => expect(percentText(share)).toBe(text));
});

describe('S2-32 times for people', () => {
  it.each([
    [0, '0 ms'],
    [915, '915 ms'],
    [9_990, '9.9 s'],
    [59_999, '59 s'],
    [125_000, '2 min 5 s'],
    [3_600_000, '1 h'],
    [12_000_000, '3 h 20 min'],
    [360_000_000, '4 d 4 h'],
  ])('writes %d ms as %s', (ms, text) => expect(durationText(ms)).toBe(text));

  it.each([
    [-5_000, 'now'],
    [1_999, 'now'],
    [12_000, '12 s'],
    [300_000, '5 min'],
    [7_200_000, '2 h'],
    [345_600_000, '4 d'],
  ])('says how long ago %d ms are: %s', (ms, text) => expect(agoText(ms)).toBe(text));

  it('shows UTC as what it is', () => {
    expect(stampText('2026-11-21T06:57:53.236Z', 'utc')).toBe('2026-11-21 06:57:53 UTC');
    expect(clockText('2026-11-21T06:57:53.236Z', 'utc')).toBe('06:57:53');
  });

  it('shows local time by the clock of this machine', () => {
    const at = new Date(2026, 0, 5, 9, 8, 7);
    expect(stampText(at.toISOString(), 'local')).toBe('2026-01-05 09:08:07');
  });

  it('names the zone of a time', () => {
    const at = new Date(2026, 0, 5, 9, 8, 7).toISOString();
    expect(zonedText(at, 'local', 'Asia/Kolkata')).toBe('2026-01-05 09:08:07 (Asia/Kolkata)');
    expect(zonedText('2026-01-05T09:08:07Z', 'utc', 'Asia/Kolkata')).toBe('2026-01-05 09:08:07 UTC');
    expect(zonedText('soon', 'local', 'Asia/Kolkata')).toBe('soon');
  });

  it('gives back what is no time', () => expect(stampText('soon', 'utc')).toBe('soon'));
});

describe('S2-32 hidden characters', () => {
  it('are spelled out', () => {
    expect(visible('N\u200borth\u202evale\u{e0041}\u0007')).toBe(
      'N⟨U+200B⟩orth⟨U+202E⟩vale⟨U+E0041⟩⟨U+0007⟩',
    );
  });

  it('are not what scripts are written with', () => {
    const text = 'क्‍ष 👩‍👩‍👧 line\nnext\ttab';
    expect(visible(text)).toBe(text);
  });
});
