import fc from 'fast-check';
import { excerpt, manyLines, oneLine } from './escape.js';

const OBEYED = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

describe('oneLine', () => {
  it('leaves nothing that a terminal would obey, whatever comes', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (text) => !OBEYED.test(oneLine(text)) && oneLine(text).isWellFormed(),
      ),
    );
  });

  it.each([
    ['\u001b[31mred\u001b[0m', '\\x1b[31mred\\x1b[0m'],
    ['\u009b2J', '\\x9b2J'],
    ['a\r\nb\tc', 'a b c'],
    ['abc\u202egpj.exe', 'abc\\u{202e}gpj.exe'],
    ['\u{e0041}hidden', '\\u{e0041}hidden'],
    ['half \ud800', 'half \ufffd'],
    ['आपका खाता', 'आपका खाता'],
  ])('shows %j as %j', (text, shown) => {
    expect(oneLine(text)).toBe(shown);
  });
});

describe('manyLines', () => {
  it('keeps line breaks alone', () => {
    expect(manyLines('a\r\nb\u0007\n\tc')).toBe('a\nb\\x07\n  c');
  });
});

describe('excerpt', () => {
  it('cuts between characters as people count them', () => {
    expect(excerpt('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧'.replaceAll('\u200d', ''), 4)).toMatch(/…$/);
    expect(excerpt('0123456789', 5)).toBe('0123…');
    expect(excerpt('01234', 5)).toBe('01234');
  });

  it('never takes more room than it has', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, width) => {
        expect([...new Intl.Segmenter().segment(excerpt(text, width))].length).toBeLessThanOrEqual(width);
      }),
    );
  });
});
