import { deflateSync } from 'node:zlib';
import { makePdf, type PdfOptions, type PdfSection } from '../../../testing/make-pdf.js';
import { rawPdf, UNMAPPED_FONT, unmappedText } from '../../../testing/raw-pdf.js';
import { parseDocument, type ParsedDocument } from '../parse-document.js';

const SECTIONS: PdfSection[] = [
  { title: '1 Notice', level: 1, text: 'A claim is made within 30 days. '.repeat(8) },
  {
    title: '1.1 Travel',
    level: 2,
    text: 'On a trip it is made within 21 days of the loss, wherever the member was.',
  },
  { title: '2 Excess', level: 1, text: 'Escape of water carries an excess of £350.' },
  { title: '2.1 Waiver', level: 2, text: 'Ten years without a break waive it.' },
];
const parse = async (sections: PdfSection[], options: PdfOptions = {}): Promise<ParsedDocument> =>
  parseDocument({ name: 'rules.pdf', bytes: await makePdf(sections, options) });
const OUTLINE = ['- > 1 Notice 1', '0001 > 1.1 Travel 2', '- > 2 Excess 3', '0003 > 2.1 Waiver 4'];
const outline = ({ sections }: ParsedDocument): string[] =>
  sections.map(({ parentId, title, pages }) => `${parentId ?? '-'} > ${title} ${pages?.from}`);

describe('S4-14 PDF', () => {
  it.each<[string, PdfOptions]>([
    ['bookmarks', { bookmarks: true, largeHeadings: false }],
    ['larger letters', {}],
    ['numbers', { largeHeadings: false }],
  ])('is a tree of sections by %s, with pages', async (_by, options) => {
    const document = await parse(SECTIONS, {
      ...options,
      title: 'The rules',
      language: 'en',
      running: 'House rules, page',
    });
    expect(outline(document)).toEqual(OUTLINE);
    expect(document).toMatchObject({ title: 'The rules', language: 'en', format: 'pdf', pages: 4 });
    expect(document.sections[2]?.text).toBe('Escape of water carries an excess of £350.');
    // A sentence that goes over lines is one; what stands on every page is left out.
    expect(document.sections[0]?.text).toBe('A claim is made within 30 days. '.repeat(8).trim());
  });

  it('without headings has a section a page', async () => {
    const document = await parse(
      [1, 2, 3].map((n) => ({ title: '', level: 1, text: `what page ${n} says` })),
    );
    expect(outline(document)).toEqual(['- > Page 1 1', '- > Page 2 2', '- > Page 3 3']);
  });

  it('of 200 pages is read as a whole, page by page', async () => {
    const pages = Array.from({ length: 200 }, (_, i) => ({
      title: `${i + 1} Rule`,
      level: 1,
      text: `Rule number ${i + 1}.`,
    }));
    const bytes = await makePdf(pages, { largeHeadings: true });
    const seen: number[] = [];
    const document = await parseDocument(
      { name: 'long.pdf', bytes },
      { onProgress: (done) => seen.push(done) },
    );
    expect(document.sections).toHaveLength(200);
    expect(document.sections.at(-1)).toMatchObject({
      text: 'Rule number 200.',
      pages: { from: 200, to: 200 },
    });
    expect(seen).toHaveLength(200);
  });

  it('stops when it is cancelled', async () => {
    const bytes = await makePdf(SECTIONS);
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(parseDocument({ name: 'a.pdf', bytes }, { signal })).rejects.toThrow('cancelled');
  });

  it('that is encrypted is refused with what to do', async () => {
    await expect(parse(SECTIONS, { userPassword: 'secret' })).rejects.toMatchObject({
      reasonCode: 'encrypted_document',
      message: expect.stringContaining('password'),
    });
  });

  it('that has no text is refused with what to do', async () => {
    await expect(parse([])).rejects.toMatchObject({
      reasonCode: 'empty_document',
      message: expect.stringContaining('OCR'),
    });
  });

  const parseRaw = (content: Buffer, filter = '', font?: readonly string[]) =>
    parseDocument({ name: 'raw.pdf', bytes: rawPdf(content, filter, font) });
  const WORDS = Buffer.from('BT /F1 11 Tf 50 700 Td (A claim is made within thirty days.) Tj ET\n');

  it('whose page unpacks to more than is read is refused before it is unpacked', async () => {
    const bomb = deflateSync(Buffer.alloc(40_000_000, WORDS));
    expect(bomb.length).toBeLessThan(200_000);
    await expect(parseRaw(bomb, '/FlateDecode')).rejects.toMatchObject({
      reasonCode: 'too_large',
      message: expect.stringMatching(
        /a page or a font that unpacks to more than 32,000,000 bytes\. Print it/,
      ),
    });
    expect((await parseRaw(deflateSync(WORDS), '/FlateDecode')).sections[0]?.text).toBe(
      'A claim is made within thirty days.',
    );
  });

  it('whose text has no end is refused while it is read', async () => {
    const words = `1 0 0 1 50 700 Tm (${'word '.repeat(200)}) Tj\n`.repeat(6_000);
    await expect(parseRaw(Buffer.from(`BT /F1 1 Tf ${words} ET`))).rejects.toMatchObject({
      reasonCode: 'too_large',
      message: expect.stringContaining('more than 5,000,000 characters of text'),
    });
  });

  it('whose font does not say which letters its glyphs are is refused, and says why', async () => {
    const text = unmappedText('The holder reports a claim within thirty days of the loss.');
    await expect(parseRaw(text, '', UNMAPPED_FONT)).rejects.toMatchObject({
      reasonCode: 'unreadable_document',
      message: expect.stringMatching(/100 % of it are symbols, since its fonts do not say .* OCR/),
    });
  });

  // Page trees that lead back to themselves, cut off in the middle, or no PDF at all.
  it.each([
    ['circular', circularPdf()],
    ['no PDF', Buffer.from('hello, I am a letter')],
    ['a header alone', Buffer.from('%PDF-1.7\n')],
  ])('that is %s is refused', async (_what, bytes) => {
    await expect(parseDocument({ name: 'a.pdf', bytes })).rejects.toMatchObject({
      reasonCode: expect.stringMatching(/^(unreadable|empty)_document$/),
    });
  });

  it('that is cut off in the middle is refused or read as far as it goes', async () => {
    const whole = await makePdf(SECTIONS);
    const half = whole.subarray(0, whole.length / 2);
    const read = await parseDocument({ name: 'a.pdf', bytes: half }).then(
      (document) => document.sections.length,
      (error: { reasonCode?: string }) => error.reasonCode,
    );
    expect(read === 'unreadable_document' || read === 'empty_document' || typeof read === 'number').toBe(
      true,
    );
  });
});

function circularPdf(): Buffer {
  const objects = [
    '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n',
    '2 0 obj\n<< /Type /Pages /Kids [2 0 R] /Count 1 /Parent 2 0 R >>\nendobj\n',
  ];
  const header = '%PDF-1.4\n';
  const offsets = [header.length, header.length + (objects[0]?.length ?? 0)];
  const start = header.length + objects.join('').length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 3\n0000000000 65535 f \n${entries}trailer\n<< /Size 3 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`;
  return Buffer.from(header + objects.join('') + table);
}
