import { inflateSync } from 'node:zlib';
import { CasefileError } from '@casefile/contracts';
import { getDocumentProxy } from 'unpdf';
import type { Block, DocumentParser, ParseContext } from '../block.js';
import { formatCount, MAX_PDF_TEXT, tooLarge } from '../document-limits.js';
import { isContentsLine } from '../numbered-heading.js';
import {
  findHeadings,
  pageLines,
  paragraphs,
  withoutRunningLines,
  type Bookmark,
  type PageLine,
  type TextItem,
} from './pdf-layout.js';

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** Most pages of one document. */
const MAX_PAGES = 5_000;
const MAX_BOOKMARKS = 50_000;

/** PDF with text: bookmarks, larger letters or numbers make the sections; page numbers are kept. No OCR. */
export const pdf: DocumentParser = {
  async parse(bytes, context) {
    refuseLargeStreams(bytes);
    const document = await open(bytes);
    try {
      const { numPages } = document;
      if (numPages > MAX_PAGES)
        throw tooLarge(
          `has ${formatCount(numPages)} pages, and at most ${formatCount(MAX_PAGES)} can be read`,
        );
      const pages = await readPages(document, context);
      refuseUnmappedLetters(pages.map((lines) => lines.map(({ text }) => text).join('\n')));
      const blocks = pageBlocks(withoutRunningLines(pages), await documentBookmarks(document));
      if (blocks.length === 0) throw new CasefileError('empty_document', NO_TEXT);
      return { blocks, ...(await documentFacts(document)), pages: numPages };
    } finally {
      await document.destroy();
    }
  },
};

const NO_TEXT = 'No page of the document has text: scanned pages have to be read by OCR first';

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    // A copy, because PDF.js takes ownership of the bytes. It logs only errors, and those are also thrown.
    return await getDocumentProxy(new Uint8Array(bytes), {
      verbosity: 0,
      isEvalSupported: false,
      stopAtErrors: false,
    });
  } catch (error) {
    if ((error as Error).name === 'PasswordException') {
      const message = 'The document is encrypted: save it without its password first';
      throw new CasefileError('encrypted_document', message, { cause: error });
    }
    throw error;
  }
}

async function readPages(document: Pdf, { signal, onProgress }: ParseContext): Promise<PageLine[][]> {
  const pages: PageLine[][] = [];
  let characters = 0;
  for (let number = 1; number <= document.numPages; number += 1) {
    signal.throwIfAborted();
    const page = await document.getPage(number);
    const items = await pageItems(page, MAX_PDF_TEXT - characters);
    characters += items.reduce((sum, { str }) => sum + str.length, 0);
    pages.push(pageLines(items, number, page.view[3] ?? 0));
    page.cleanup();
    onProgress(number, document.numPages);
  }
  return pages;
}

/** @throws CasefileError `too_large` as soon as the page has more characters than `limit`. */
async function pageItems(page: Awaited<ReturnType<Pdf['getPage']>>, limit: number): Promise<TextItem[]> {
  const reader = (page.streamTextContent() as ReadableStream<{ items: object[] }>).getReader();
  const all: TextItem[] = [];
  let characters = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return all;
    const items = value.items.filter((item): item is TextItem => 'str' in item);
    characters += items.reduce((sum, { str }) => sum + str.length, 0);
    if (characters > limit) {
      const refused = tooLarge(`has more than ${formatCount(MAX_PDF_TEXT)} characters of text`);
      await reader.cancel(refused);
      throw refused;
    }
    for (const item of items) all.push(item);
  }
}

interface OutlineItem {
  title: string;
  dest: string | unknown[] | null;
  items: OutlineItem[];
}

async function documentBookmarks(document: Pdf): Promise<Bookmark[]> {
  const bookmarks: Bookmark[] = [];
  const add = async (items: readonly OutlineItem[], level: number): Promise<void> => {
    for (const item of items) {
      if (bookmarks.length >= MAX_BOOKMARKS) return;
      bookmarks.push({ title: item.title.trim(), level, page: await documentPage(document, item) });
      await add(item.items, level + 1);
    }
  };
  await add((await document.getOutline()) ?? [], 1);
  return bookmarks;
}

// A bookmark without a known page does not make the document unreadable: its section may be found by other
// means.
async function documentPage(document: Pdf, { dest }: OutlineItem): Promise<number | null> {
  const target = typeof dest === 'string' ? await document.getDestination(dest) : dest;
  const reference: unknown = target?.[0];
  if (typeof reference === 'number') return reference + 1;
  if (typeof reference !== 'object' || reference === null) return null;
  return document.getPageIndex(reference as { num: number; gen: number }).then(
    (index) => index + 1,
    () => null,
  );
}

async function documentFacts(document: Pdf): Promise<{ title: string | null; language: string | null }> {
  const { info } = (await document.getMetadata()) as { info: { Title?: unknown; Language?: unknown } };
  const text = (value: unknown): string | null =>
    typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  return { title: text(info.Title), language: text(info.Language) };
}

function pageBlocks(pages: readonly PageLine[][], bookmarks: readonly Bookmark[]): Block[] {
  // A table of contents only repeats headings, and would be the first match of every search.
  const lines = pages.flat().filter(({ text }) => !isContentsLine(text));
  const headings = findHeadings(lines, bookmarks);
  const blocks: Block[] = [];
  let text: PageLine[] = [];
  const flush = (): void => {
    const [first] = text;
    if (first !== undefined) blocks.push({ kind: 'text', text: paragraphs(text), page: first.page });
    text = [];
  };
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i];
    if (line === undefined) break;
    const heading = headings.get(i);
    // Without any heading each page is a section. Otherwise a new page begins a block, so that its number is
    // kept.
    const isNewPage = text.length > 0 && text[0]?.page !== line.page;
    if (heading !== undefined || isNewPage) flush();
    if (headings.size === 0 && (i === 0 || isNewPage))
      blocks.push({ kind: 'heading', level: 1, title: `Page ${line.page}`, page: line.page });
    if (heading === undefined) text.push(line);
    else {
      blocks.push({ kind: 'heading', level: heading.level, title: heading.title, page: line.page });
      if (heading.lines === 0) text.push(line);
      i += Math.max(0, heading.lines - 1);
    }
  }
  flush();
  return blocks;
}

/** Fewest characters for judging a text; a shorter one is a title page. */
const ENOUGH = 40;
/** Largest share of characters that do not occur in text. */
const MOST_STRANGE = 0.05;
/** Smallest share of letters or digits in a text of any language; a table of sums has three quarters. */
const FEWEST_LETTERS = 0.5;
/** Largest share of a document that may be unreadable. */
const MOST_UNREADABLE = 0.2;

/**
 * Characters that no text contains: control, private use and unassigned characters, and the replacement
 * character.
 */
const STRANGE = /[\p{Cc}\p{Co}\p{Cn}\ufffd]/gu;
const LETTER = /[\p{L}\p{M}\p{N}]/gu;
/** Dot leaders of a table of contents, and rules of a form. */
const RUNS = /([^\p{L}\p{N}])\1{2,}/gu;

/**
 * Refuses a PDF whose fonts do not map glyphs to letters: its text consists of glyph numbers.
 * @param pages Texts.
 * @throws CasefileError `unreadable_document` if more than a fifth of the text is unreadable.
 */
export function refuseUnmappedLetters(pages: readonly string[]): void {
  const texts = pages.map((page) => page.replace(/[\t\n\r ]+/g, '').replace(RUNS, '$1'));
  const all = texts.reduce((sum, { length }) => sum + length, 0);
  if (all < ENOUGH) return;
  const parts = texts.join('').match(/[^]{1,2000}/gu) ?? [];
  const unreadable = parts.filter(isUnreadable).reduce((sum, { length }) => sum + length, 0);
  if (unreadable <= all * MOST_UNREADABLE) return;
  const share = Math.round((100 * unreadable) / all);
  const message = `The text of the document is not readable: ${share} % of it are symbols, since its fonts do not say which letters their glyphs are. Save it anew from the program that made it, or have its pages read by OCR.`;
  throw new CasefileError('unreadable_document', message);
}

function isUnreadable(text: string): boolean {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  return count(STRANGE) > text.length * MOST_STRANGE || count(LETTER) < text.length * FEWEST_LETTERS;
}

/**
 * Most unpacked bytes of one stream: a page of a dense map has a tenth, a whole Chinese font half of them.
 */
const MAX_STREAM = 32_000_000;
const MAX_ALL = 300_000_000;
/** Most bytes before a stream that can contain its description. */
const LONGEST_HEAD = 2_000;
const ADVICE = 'Print it to a new PDF, or divide it into several documents.';

/**
 * Unpacks each stream of a PDF that is not an image, without keeping it, because PDF.js would unpack a page
 * before its size is known. @throws CasefileError `too_large`.
 */
function refuseLargeStreams(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let all = 0;
  for (let at = file.indexOf('stream'); at >= 0; at = file.indexOf('stream', at)) {
    const isEnd = file.toString('latin1', at - 3, at) === 'end';
    const head = fileHead(file, at);
    at += 'stream'.length;
    if (isEnd || !/\/(?:FlateDecode|Fl)\b/.test(head)) continue;
    // Images are not unpacked to read text.
    if (/\/Subtype\s*\/Image\b/.test(head)) continue;
    const end = file.indexOf('endstream', at);
    all += unpackedLength(file.subarray(fileStart(file, at), end < 0 ? file.length : end));
    if (all > MAX_ALL) throw tooLarge(`unpacks to more than ${formatCount(MAX_ALL)} bytes`, ADVICE);
  }
}

function fileHead(file: Buffer, at: number): string {
  const before = file.toString('latin1', Math.max(0, at - LONGEST_HEAD), at);
  return before.slice(before.lastIndexOf(' obj') + 1);
}

// The line end after `stream` is not part of the stream.
function fileStart(file: Buffer, at: number): number {
  const start = file[at] === 0x0d ? at + 1 : at;
  return file[start] === 0x0a ? start + 1 : start;
}

function unpackedLength(packed: Buffer): number {
  try {
    return inflateSync(packed, { maxOutputLength: MAX_STREAM }).length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLarge(
        `has a page or a font that unpacks to more than ${formatCount(MAX_STREAM)} bytes`,
        ADVICE,
      );
    // Broken or encrypted: PDF.js decides whether it can be read.
    return 0;
  }
}
