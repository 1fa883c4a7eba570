import { refuseUnmappedLetters } from './pdf.js';

describe('S4-14 the letters of a PDF', () => {
  it.each([
    ['a table of sums', ['| £1,200.00 | (3 %) | -400.50 |\n'.repeat(20)]],
    ['a table of contents', ['1.2 Scope .................................. 7\n'.repeat(20)]],
    ['Chinese', ['保險公司應於三十日內賠付。'.repeat(20)]],
    ['Hindi', ['दावा तीस दिनों के भीतर किया जाता है। '.repeat(20)]],
    ['a form', ['Name: ____________________  Date: ____/____/____\n'.repeat(10)]],
    [
      'one page of symbols among ten',
      [...Array<string>(9).fill('A claim is made in time. '.repeat(90)), '"7+%-`'.repeat(30)],
    ],
    ['a title page', ['"7+%-`']],
    ['no text', []],
  ])('of %s can be read', (_what, pages) => {
    expect(() => refuseUnmappedLetters(pages)).not.toThrow();
  });

  it.each([
    ['symbols', ['"7+%-`'.repeat(20)]],
    ['glyph numbers', ['7KH\u0003SROLF\\\u0003KROGHU\u0003UHSRUWV\u0003'.repeat(10)]],
    ['private use', ['\ue001\ue045\ue012 a b c d e f g'.repeat(10)]],
    ['half of the pages', ['A claim is made in time. '.repeat(200), '!"#$%&'.repeat(900)]],
  ])('that are %s are refused', (_what, pages) => {
    expect(() => refuseUnmappedLetters(pages)).toThrow(/is not readable/);
  });
});
