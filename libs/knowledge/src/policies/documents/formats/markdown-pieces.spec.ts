import fc from 'fast-check';
import { parseDocument } from '../parse-document.js';
import { markdownPieces } from './markdown-pieces.js';
import { readMarkdown } from './markdown.js';

const refusal = (text: string) =>
  parseDocument({ name: 'a.md', bytes: Buffer.from(text) }).then(
    () => null,
    (error: { reasonCode: string; message: string }) => `${error.reasonCode}: ${error.message}`,
  );

describe('S4-14 a long Markdown document', () => {
  const part = fc.constantFrom(
    '# Heading',
    'A paragraph\nof *two* lines with a [link][one] and a note[^1].',
    '- an item\n\n  more of it\n\n- another\n  - deeper\n\n    still in it',
    '1. one\n2. two',
    '> quoted\n>\n> again',
    '```js\ncode\n\nText in code, no block\n\n# no heading\n```',
    '~~~\n```\n\nText in code\n~~~',
    '    set in code\n\n    more of it',
    '<!-- a comment\n\nText in a comment\n\n-->',
    '<pre>\n\nText in HTML\n\n</pre>',
    '<div>\n\nText after HTML\n\n</div>',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    'Underlined\n=====',
    '[one]: http://a.example',
    '[^1]: The note.\n\n    More of it.',
    '***',
    'Mehr Text über [das da](http://b.example).',
  );

  it('has the same blocks in pieces as parsed in one', () => {
    const front = fc.constantFrom('', '---\ntitle: x\n\nlang: de\n---\n\n');
    const documents = fc.tuple(
      front,
      fc.array(part, { maxLength: 12 }),
      fc.constantFrom('', '```\nText\n\nopen'),
    );
    fc.assert(
      fc.property(documents, ([begin, parts, last]) => {
        const text = `${begin}${[...parts, last].join('\n\n')}`;
        expect(readMarkdown(text, 1)).toEqual(readMarkdown(text, 1_000_000));
      }),
      { numRuns: 100 },
    );
  });

  it('is cut where a block begins, so that no piece is much longer than is enough', () => {
    const text = `${'## A section\n\nA paragraph of some words.\n\n'.repeat(5_000)}`;
    const pieces = markdownPieces(text, 10_000);
    expect(pieces.length).toBeGreaterThan(15);
    for (const { text: piece } of pieces) expect(piece.length).toBeLessThan(10_200);
    expect(
      pieces
        .map((piece) => piece.text)
        .join('')
        .replace(/\n+/g, '\n'),
    ).toBe(text.replace(/\n+/g, '\n'));
  });

  it.each([
    [
      '200,000 headings',
      '# a\n\n'.repeat(200_000),
      /^too_large: .*20,000 headings, paragraphs and list items/,
    ],
    ['200,000 items', '- a\n'.repeat(200_000), /^too_large: .*20,000/],
    [
      'a list nested 3,000 deep',
      Array.from({ length: 3_000 }, (_, i) => `${'  '.repeat(i)}- a`).join('\n'),
      /^unreadable_document: .*nested too deeply: more than 100.*flatter/,
    ],
    ['quotes nested 3,000 deep', `${'>'.repeat(3_000)} a`, /^unreadable_document: .*nested too deeply/],
    ['a paragraph of a megabyte', 'word '.repeat(200_000), /^too_large: .*paragraph of more than 500,000/],
    ['11 MB', 'word\n\n'.repeat(11_000_000 / 6), /^too_large: .*at most 10,000,000/],
  ])('with %s is refused with the limit, before it is parsed', async (_what, text, reason) => {
    expect(await refusal(text)).toMatch(reason);
  });

  it('has rules and tables that look deep and are not', async () => {
    expect(
      await refusal(`text\n\n${'* '.repeat(300)}\n\n${'-'.repeat(300)}\n\n${' '.repeat(300)}far right`),
    ).toBeNull();
  });
});

describe('S4-14 a hostile HTML document', () => {
  it.each([
    ['200,000 headings', '<h1>a</h1>'.repeat(200_000), /^too_large: .*20,000/],
    ['lists in one another', `${'<ul><li>'.repeat(200)}a`, /^unreadable_document: .*nested too deeply/],
  ])('with %s is refused with the limit', async (_what, text, reason) => {
    const read = parseDocument({ name: 'a.html', bytes: Buffer.from(text) });
    const said = await read.then(
      () => null,
      (error: { reasonCode: string; message: string }) => `${error.reasonCode}: ${error.message}`,
    );
    expect(said).toMatch(reason);
  });
});
