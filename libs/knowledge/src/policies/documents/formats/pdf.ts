import { CasefileError } from '@casefile/contracts';
import { getDocumentProxy } from 'unpdf';
import type { Block, DocumentParser, ParseContext } from '../block.js';
import { figure, MAX_PDF_TEXT, tooLarge } from '../document-limits.js';
import { isContentsLine } from '../numbered-heading.js';
import { refuseUnmappedLetters } from './pdf-letters.js';
import { refuseLargeStreams } from './pdf-streams.js';
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

/** Pages of one document. */
const MAX_PAGES = 5_000;
const MAX_BOOKMARKS = 50_000;

/** PDF with text in it: bookmarks, larger letters or numbers make the sections, pages are kept. No OCR. */
export const pdf: DocumentParser = {
  async parse(bytes, context) {
    refuseLargeStreams(bytes);
    const document = await open(bytes);
    try {
      const { numPages } = document;
      if (numPages > MAX_PAGES)
        throw tooLarge(`has ${figure(numPages)} pages, and at most ${figure(MAX_PAGES)} can be read`);
      const pages = await readPages(document, context);
      refuseUnmappedLetters(pages.map((lines) => lines.map(({ text }) => text).join('\n')));
      const blocks = blocksOf(withoutRunningLines(pages), await bookmarksOf(document));
      if (blocks.length === 0) throw new CasefileError('empty_document', NO_TEXT);
      return { blocks, ...(await factsOf(document)), pages: numPages };
    } finally {
      await document.destroy();
    }
  },
};

const NO_TEXT = 'No page of the document has text: scanned pages have to be read by OCR first';

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    // A copy, for it is handed over to the reader. Only errors are told, and those are thrown.
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
    const items = await itemsOf(page, MAX_PDF_TEXT - characters);
    characters += items.reduce((sum, { str }) => sum + str.length, 0);
    pages.push(pageLines(items, number, page.view[3] ?? 0));
    page.cleanup();
    onProgress(number, document.numPages);
  }
  return pages;
}

/** @throws CasefileError `too_large` as soon as the page has more characters than are left. */
async function itemsOf(page: Awaited<ReturnType<Pdf['getPage']>>, left: number): Promise<TextItem[]> {
  const reader = (page.streamTextContent() as ReadableStream<{ items: object[] }>).getReader();
  const all: TextItem[] = [];
  let characters = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return all;
    const items = value.items.filter((item): item is TextItem => 'str' in item);
    characters += items.reduce((sum, { str }) => sum + str.length, 0);
    if (characters > left) {
      const refused = tooLarge(`has more than ${figure(MAX_PDF_TEXT)} characters of text`);
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

async function bookmarksOf(document: Pdf): Promise<Bookmark[]> {
  const bookmarks: Bookmark[] = [];
  const add = async (items: readonly OutlineItem[], level: number): Promise<void> => {
    for (const item of items) {
      if (bookmarks.length >= MAX_BOOKMARKS) return;
      bookmarks.push({ title: item.title.trim(), level, page: await pageOf(document, item) });
      await add(item.items, level + 1);
    }
  };
  await add((await document.getOutline()) ?? [], 1);
  return bookmarks;
}

// A bookmark that leads nowhere is no reason to refuse the document: its section is found by other means, or not.
async function pageOf(document: Pdf, { dest }: OutlineItem): Promise<number | null> {
  const target = typeof dest === 'string' ? await document.getDestination(dest) : dest;
  const reference: unknown = target?.[0];
  if (typeof reference === 'number') return reference + 1;
  if (typeof reference !== 'object' || reference === null) return null;
  return document.getPageIndex(reference as { num: number; gen: number }).then(
    (index) => index + 1,
    () => null,
  );
}

async function factsOf(document: Pdf): Promise<{ title: string | null; language: string | null }> {
  const { info } = (await document.getMetadata()) as { info: { Title?: unknown; Language?: unknown } };
  const text = (value: unknown): string | null =>
    typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  return { title: text(info.Title), language: text(info.Language) };
}

function blocksOf(pages: readonly PageLine[][], bookmarks: readonly Bookmark[]): Block[] {
  // A table of contents says nothing that is not said again, and would be found first for every word.
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
    // Without any heading each page is a section; with some, a new page begins a block, so that its number is kept.
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
