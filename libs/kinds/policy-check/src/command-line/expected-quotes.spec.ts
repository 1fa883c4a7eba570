import type { VerifiedCitation } from '@casefile/contracts';
import { quotesFound } from './judged-case.js';

const quoted = (title: string, quote: string): VerifiedCitation => ({
  kind: 'quote',
  nodeId: '0001',
  quote,
  title,
  pages: null,
});
const expected = [
  { section: '4.1 Notice', quote: 'A claim must be notified within 30 days of the loss date.' },
];

describe('quotesFound', () => {
  it.each([
    ['the same words', '4.1 Notice', 'A claim must be notified within 30 days of the loss date.', [1, 1]],
    ['a part of at least half', '4.1  NOTICE', 'must be notified “within 30 days', [1, 1]],
    [
      'a longer passage',
      '4.1 Notice',
      'First. A claim must be notified within 30 days of the loss date. Then.',
      [1, 1],
    ],
    ['other words of the section', '4.1 Notice', 'Notice may be given by letter.', [1, 0]],
    [
      'the same words elsewhere',
      '4.2 Travel',
      'A claim must be notified within 30 days of the loss date.',
      [0, 0],
    ],
    ['one word again and again', '4.1 Notice', 'claim claim claim claim claim claim claim', [1, 0]],
  ])('counts %s', (_, title, quote, [sections, words]) => {
    expect(quotesFound(expected, [quoted(title, quote)])).toEqual({ expected: 1, sections, words });
  });

  it('takes no words together from several quotes, and nothing from facts', () => {
    const parts = [
      quoted('4.1 Notice', 'A claim must be'),
      quoted('4.1 Notice', 'of the loss date'),
      { kind: 'fact' as const, fact: 'a', value: 'A claim must be notified', factIds: ['a#1'] },
    ];
    expect(quotesFound(expected, parts)).toEqual({ expected: 1, sections: 1, words: 0 });
    expect(quotesFound(expected, [])).toEqual({ expected: 1, sections: 0, words: 0 });
  });
});
