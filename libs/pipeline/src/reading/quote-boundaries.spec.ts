import fc from 'fast-check';
import { holdsQuote } from './find-quote.js';

const SOURCE =
  '經濟部電價審議會28日決議，4月起平均電價調漲3.1%，住宅用電並未調漲。約41.5萬戶受影響，虧損三十萬元。';

describe('the boundaries of a Chinese quote', () => {
  it.each([
    '審議會28日決議',
    '電價調漲3.1%',
    '平均電價調漲',
    '月起平均電價',
    '日決議，4月起平均',
    '41.5萬戶受影響',
    '三十萬元',
    '28日決',
  ])('T-02 lets “%s” begin and end within a run of Han signs', (quote) => {
    expect(holdsQuote(SOURCE, quote)).toBe(true);
  });

  it.each([
    ['a digit is cut off its figure', '8日決議，4月起'],
    ['a percentage is cut', '平均電價調漲3.1'],
    ['a unit is cut off its digit', '電價審議會28'],
    ['a Han figure is cut in front', '十萬元'],
    ['a Han figure is cut behind', '虧損三十'],
    ['a magnitude is cut off its digits', '萬戶受影響'],
    ['a negation is cut off', '調漲。約41.5萬戶'],
    ['the words differ', '平均電價調降'],
  ])('T-02 refuses a quote if %s', (_, quote) => {
    expect(holdsQuote(SOURCE, quote)).toBe(false);
  });

  it('refuses a Japanese quote that ends before the denial of its verb', () => {
    const source = '当局は4月の値上げを発表していない。';
    expect(holdsQuote(source, '4月の値上げを発表')).toBe(false);
    expect(holdsQuote(source, '値上げを発表していない')).toBe(true);
  });

  it('keeps the boundaries of other scripts', () => {
    const source = '公告：pay within 30 days 或 $500 罰款';
    expect(holdsQuote(source, 'within 3')).toBe(false);
    expect(holdsQuote(source, '500 罰款')).toBe(false);
    expect(holdsQuote(source, 'ay within 30 days')).toBe(false);
    expect(holdsQuote('CPI上漲了', '上漲了')).toBe(true);
  });
});

/** Han signs that are neither figures nor negations. */
const han = fc.stringMatching(/^[水電價庫里河市區會議決公告居民通知雨量蓄率]{2,40}$/);
const cut = (text: string, a: number, b: number): [number, number] => {
  const from = a % (text.length - 1);
  return [from, from + 1 + (b % (text.length - from))];
};

describe('quotes of Han signs', () => {
  it('T-02 are found wherever they are cut from the text', () => {
    fc.assert(
      fc.property(han, fc.nat(), fc.nat(), (text, a, b) => {
        expect(holdsQuote(text, text.slice(...cut(text, a, b)))).toBe(true);
      }),
    );
  });

  it('are never found if a sign is changed', () => {
    fc.assert(
      fc.property(han, fc.nat(), fc.nat(), fc.nat(), (text, a, b, at) => {
        const quote = Array.from(text.slice(...cut(text, a, b)));
        quote[at % quote.length] = '鯨';
        expect(holdsQuote(text, quote.join(''))).toBe(false);
      }),
    );
  });

  it('never begin or end within a figure', () => {
    const figure = fc.stringMatching(/^[二三四五六七八九]{2,6}$|^[1-9]\d{1,6}[萬億]?$/);
    fc.assert(
      fc.property(han, figure, han, fc.nat(), (before, figures, after, at) => {
        const text = `${before}${figures}${after}`;
        const within = before.length + 1 + (at % (figures.length - 1));
        expect(holdsQuote(text, text.slice(within))).toBe(false);
        expect(holdsQuote(text, text.slice(0, within))).toBe(false);
      }),
    );
  });
});
