import { readFileSync } from 'node:fs';
import { MAX_SECTION_TEXT } from '../policy-base.js';
import { parseDocument, documentFileSourceDigest, type ParsedDocument } from './parse-document.js';

const parse = (name: string, content: string | Uint8Array): Promise<ParsedDocument> =>
  parseDocument({ name, bytes: typeof content === 'string' ? Buffer.from(content) : content });
const outline = ({ sections }: ParsedDocument): string[] =>
  sections.map(({ nodeId, parentId, title }) => `${parentId ?? '-'} > ${nodeId} ${title}`);
const textOf = (document: ParsedDocument, title: string): string =>
  document.sections.find((section) => section.title === title)?.text ?? 'no such section';
const samples = new URL('../../../../../samples/', import.meta.url);

describe('S4-14 Markdown', () => {
  it('is a tree of sections with lines, in plain words', async () => {
    const source = [
      '---\ntitle: "House rules"\nlang: en-GB\n---\nBefore all.\n',
      '# Rules\n\nA *first* [rule](http://x) that\ngoes on.\n',
      '## Sums\n\n| Cover | Limit |\n|---|---|\n| Cash | **£500** |\n\n1. one\n2. two\n   - deeper\n',
      '#### Far below\n\n> quoted\n\n```\ncode # no heading\n```\n<p>some <b>html</b></p>\n\nLast\n====\n\nend',
    ].join('\n');
    const document = await parse('rules.md', source);
    expect(document).toMatchObject({
      title: 'House rules',
      language: 'en-GB',
      format: 'markdown',
      pages: null,
    });
    expect(outline(document)).toEqual([
      '- > 0001 House rules',
      '- > 0002 Rules',
      '0002 > 0003 Sums',
      '0003 > 0004 Far below',
      '- > 0005 Last',
    ]);
    expect(textOf(document, 'Rules')).toBe('A first rule that goes on.');
    expect(textOf(document, 'Sums')).toBe('| Cover | Limit |\n| Cash | £500 |\n\n1. one\n2. two\n  - deeper');
    expect(textOf(document, 'Far below')).toBe('quoted\n\ncode # no heading\n\nsome html');
    expect(document.sections[1]?.lines).toEqual({ from: 7, to: 10 });
  });

  it('of the sample policy holds every quote of the sample cases in the section that they name', async () => {
    const document = await parse(
      'claims-handling.md',
      readFileSync(new URL('policies/claims-handling.md', samples)),
    );
    const cases = JSON.parse(readFileSync(new URL('policy-cases.json', samples), 'utf8')) as {
      expected: { criteria: { citations: { section: string; quote: string }[] }[] };
    }[];
    const citations = cases.flatMap(({ expected }) => expected.criteria.flatMap((one) => one.citations));
    expect(citations.length).toBeGreaterThan(50);
    for (const { section, quote } of citations) expect(textOf(document, section)).toContain(quote);
    expect(document.title).toMatch(/^Tarnwick Mutual/);
  });
});

describe('S4-14 HTML', () => {
  const page = (body: string, head = ''): string =>
    `<!doctype html><html lang="de"><head><title> The  rules </title>${head}<style>x{}</style></head><body>${body}</body></html>`;

  it('is a tree of sections by its headings, wherever they stand', async () => {
    const document = await parse(
      'rules.html',
      page(
        '<nav><h2>Menu</h2></nav><div><h1>One<a>¶</a></h1><section><p>loose <b>text</b></p> words <div><h2>Two</h2>' +
          '<table><tr><td>Cash</td><td>£500</td></tr></table><script>no()</script><p hidden>unseen</p></div></section></div><h2>Three</h2>end',
      ),
    );
    expect(document).toMatchObject({ title: 'The rules', language: 'de', format: 'html' });
    expect(outline(document)).toEqual(['- > 0001 One', '0001 > 0002 Two', '0001 > 0003 Three']);
    expect(textOf(document, 'One')).toBe('loose text\n\nwords');
    expect(textOf(document, 'Two')).toBe('| Cash | £500 |');
    expect(textOf(document, 'Three')).toBe('end');
  });

  it('is read in the encoding it names', async () => {
    const bytes = Buffer.from(
      page('<h1>Geb\xfchr</h1><p>10 \x80</p>', '<meta charset="windows-1252">'),
      'latin1',
    );
    expect(textOf(await parse('rules.htm', bytes), 'Gebühr')).toBe('10 €');
  });

  it('without headings is one section', async () => {
    expect(outline(await parse('rules.html', page('<p>one</p><p>two</p>')))).toEqual(['- > 0001 The rules']);
  });
});

describe('S4-14 plain text', () => {
  it('is a tree of sections by numbered lines that stand alone', async () => {
    const document = await parse(
      'rules.txt',
      [
        'House rules\n\n1. Scope ........ 1\n2 Notice ........ 2\n',
        '1. Scope\n\nA rule that\ngoes on. It has a list:\n\n1. The first thing is done.\n\n2. The second thing is done.\n',
        '1.1 Who\n\nMembers.\n\f\n2 Notice\n\n- an item\n- another\n    set in\n\n2.1 Late notice\n\nDeclined.\n',
        'Appendix A Forms\n\nNone.',
      ].join('\n'),
    );
    expect(outline(document)).toEqual([
      '- > 0001 House rules',
      '- > 0002 1. Scope',
      '0002 > 0003 1.1 Who',
      '- > 0004 2 Notice',
      '0004 > 0005 2.1 Late notice',
      '- > 0006 Appendix A Forms',
    ]);
    expect(textOf(document, '1. Scope')).toContain('A rule that goes on. It has a list:');
    expect(textOf(document, '1. Scope')).toContain('2. The second thing is done.');
    expect(textOf(document, '2 Notice')).toBe('- an item\n- another\n    set in');
    expect(document.pages).toBe(2);
    expect(document.sections.map(({ pages }) => pages?.from)).toEqual([1, 1, 1, 2, 2, 2]);
  });

  it('has centred chapters, and a table of contents that is none', async () => {
    const text =
      '  1. Scope\n\n  2. Notice\n\n' +
      '        Chapter 1. Scope\n\nAll.\n\n        Chapter 2. Notice\n\nSoon.';
    expect(outline(await parse('rules.txt', text))).toEqual([
      '- > 0001 1. Scope',
      '- > 0002 Chapter 1. Scope',
      '- > 0003 Chapter 2. Notice',
    ]);
  });

  it('is a tree of sections by underlined lines', async () => {
    const text = 'Rules\n=====\n\nAll.\n\nNotice\n------\n\nSoon.\n\nExcess\n------\n\n£50.';
    expect(outline(await parse('rules.txt', text))).toEqual([
      '- > 0001 Rules',
      '0001 > 0002 Notice',
      '0001 > 0003 Excess',
    ]);
  });

  it('of one endless paragraph is cut into parts that can be kept', async () => {
    const document = await parse('long.txt', 'word '.repeat(50_000));
    expect(document.sections.length).toBeGreaterThan(20);
    for (const { text, title } of document.sections) {
      expect(text.length).toBeLessThanOrEqual(MAX_SECTION_TEXT / 8);
      expect(title).toMatch(/\(part \d+\)$/);
    }
    expect(document.sections.map(({ text }) => text).join(' ')).toBe('word '.repeat(50_000).trim());
  });
});

describe('S4-10 a summary without a model', () => {
  it('is the first sentences, and what stands below', async () => {
    const document = await parse(
      'r.md',
      '# One\n\nFirst one. Second one.\n\n## Two\n\ntext\n\n## Three\n\ntext\n\n# Four\n\n## Five\n\nx',
    );
    expect(document.sections.map(({ summary }) => summary)).toEqual([
      'First one. Second one. Below: Two; Three',
      'text',
      'text',
      'Five',
      'x',
    ]);
  });
});

describe('S4-14 a document that cannot be taken', () => {
  it.each([
    ['a.md', '', 'empty_document'],
    ['a.md', ' \n\n', 'empty_document'],
    ['a.md', '# Only\n\n## Headings\n', 'empty_document'],
    ['a.html', '<html><body><script>x</script></body></html>', 'empty_document'],
    ['a.docx', 'PK', 'unknown_format'],
    ['noextension', 'text', 'unknown_format'],
    ['a.txt', Buffer.from('Geb\xfchr', 'latin1'), 'unknown_encoding'],
    ['a.txt', Buffer.from('text in UTF-16', 'utf16le'), 'unknown_encoding'],
    ['a.html', `${'<div>'.repeat(60_000)}<h1>deep</h1>text`, 'unreadable_document'],
  ])('%s is refused with a reason', async (name, content, reasonCode) => {
    await expect(parse(name, content)).rejects.toMatchObject({ reasonCode });
  });

  it.each([' ', '.', '1. ', '- ', '=', '1.1', '\t', '. 1 '])(
    'of %j without end is read all the same',
    async (part) => {
      const text = `Start\n\n${part.repeat(200_000 / part.length)}end.`;
      expect((await parse('a.txt', text)).sections.length).toBeGreaterThan(0);
    },
  );

  it('is read in UTF-16 when it says so', async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Gebühr', 'utf16le')]);
    expect((await parse('a.txt', bytes)).sections[0]?.text).toBe('Gebühr');
  });

  it('is distinguished from another by its bytes and its format', () => {
    const file = { name: 'a.md', bytes: Buffer.from('x') };
    expect(documentFileSourceDigest(file)).toBe(documentFileSourceDigest({ ...file, name: 'b.md' }));
    expect(documentFileSourceDigest(file)).not.toBe(documentFileSourceDigest(file, { format: 'text' }));
  });
});

describe('S4-40 tables of other formats', () => {
  const ROWS = '| City | Limit per night |\n| Berlin | 140 EUR |\n| Zurich | 210 EUR |';
  const NEAR = { before: 'The cost of a night must not exceed the limit of the city.', after: 'Ask first.' };

  it.each([
    ['bars', 'City | Limit per night\nBerlin | 140 EUR\nZurich | 210 EUR'],
    [
      'bars and a line',
      '| City | Limit per night |\n|------|------|\n| Berlin | 140 EUR |\n| Zurich | 210 EUR |',
    ],
    ['columns of spaces', 'City      Limit per night\nBerlin    140 EUR\nZurich    210 EUR'],
    [
      'columns and a line',
      'City      Limit per night\n-------------------------\nBerlin    140 EUR\nZurich    210 EUR',
    ],
  ])('are read in plain text: %s', async (_drawn, table) => {
    const document = await parse(
      'a.txt',
      `Travel\n\n1. Hotels\n\n${NEAR.before}\n\n${table}\n\n${NEAR.after}\n`,
    );
    expect(textOf(document, '1. Hotels')).toBe(`${NEAR.before}\n\n${ROWS}\n\n${NEAR.after}`);
  });

  it('are read in HTML', async () => {
    const row = (cells: string[], tag: string) =>
      `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
    const table = `<table>${row(['City', 'Limit per night'], 'th')}${row(['Berlin', '140 EUR'], 'td')}${row(['Zurich', '210 EUR'], 'td')}</table>`;
    const page = `<html><body><h2>Hotels</h2><p>${NEAR.before}</p>${table}<p>${NEAR.after}</p></body></html>`;
    expect(textOf(await parse('a.html', page), 'Hotels')).toContain(ROWS);
  });

  it('are not seen in sentences with double spaces', async () => {
    const text = 'A claim must be sent in.  It needs a form.\nThe form is online.  Receipts are needed.';
    const document = await parse('a.txt', `Travel\n\n1. Claims\n\n${text}\n`);
    expect(textOf(document, '1. Claims')).not.toContain('|');
  });
});
