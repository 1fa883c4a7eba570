import { createHash } from 'node:crypto';
import type { LookupFunction } from 'node:net';
import {
  builtModule,
  CasefileError,
  type BoundedRunner,
  type BoundedTask,
  type ToolContext,
} from '@casefile/contracts';
import type { PageReaderSettings } from '../settings.js';
import { decodePage } from './decode-page.js';
import { MOST_TEXT, type ExtractArgs, type ExtractedPage } from './extract-page.js';
import { createPageFetch, type FetchedPage } from './fetch-page.js';

/** A page as it is stored: evidence that a replay reads without the network. */
export interface StoredPage extends ExtractedPage {
  /** Address after redirects. */
  url: string;
  /** SHA-256 of the bytes of the page, in hex. */
  sha256: string;
  bytes: number;
  /** Time of the request (ISO 8601). */
  readAt: string;
}

/** Reads a page of the web. @throws CasefileError for each page that cannot be read. */
export type ReadWebPage = (
  address: string,
  context: Pick<ToolContext, 'signal' | 'clock'>,
) => Promise<StoredPage>;

/** Reads the text of a PDF. */
export type ReadPdf = (
  bytes: Uint8Array,
  context: { signal: AbortSignal },
) => Promise<{ title: string; text: string; language: string | null }>;

export interface WebPagePorts {
  settings: PageReaderSettings;
  /** Parses pages. */
  runner: BoundedRunner;
  readPdf: ReadPdf;
  /** Default: the system's DNS lookup. */
  lookup?: LookupFunction;
}

const EXTRACT_PAGE: BoundedTask<ExtractArgs, ExtractedPage> = {
  what: 'The page',
  advice: 'Send the text of the page with the alert.',
  limits: { memoryMb: 400, timeMs: 15_000 },
  module: builtModule('./extract-page.js', import.meta.url),
  load: () => import('./extract-page.js'),
};

/** Creates the reader of pages: HTML, plain text and PDF. */
export function createWebPages({ settings, runner, readPdf, ...network }: WebPagePorts): ReadWebPage {
  const fetchPage = createPageFetch(settings, network);
  return async (address, context) => {
    const readAt = new Date(context.clock.now()).toISOString();
    const page = await fetchPage(address, context);
    const { url, bytes } = page;
    const read = await contentOf(page, { runner, readPdf, signal: context.signal });
    if (read.text === '') throw new CasefileError('empty_document', `The page at ${url} has no text`);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { ...read, url, sha256, bytes: bytes.length, readAt };
  };
}

async function contentOf(
  { url, contentType, bytes }: FetchedPage,
  { runner, readPdf, signal }: Pick<WebPagePorts, 'runner' | 'readPdf'> & { signal: AbortSignal },
): Promise<ExtractedPage> {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/pdf' || bytes.subarray(0, 5).toString('latin1') === '%PDF-') {
    const { title, text, language } = await readPdf(bytes, { signal });
    return { ...NOTHING_STATED, title, text: text.slice(0, MOST_TEXT), language };
  }
  if (/^(?:text\/html|application\/xhtml\+xml)$/.test(type) || type === '')
    return runner.run(EXTRACT_PAGE, bytes, { url, contentType }, { signal });
  if (/^text\/(?:plain|markdown)$/.test(type))
    return { ...NOTHING_STATED, text: decodePage(bytes, contentType).slice(0, MOST_TEXT).trim() };
  throw new CasefileError(
    'unknown_format',
    `The page at ${url} has the type ${JSON.stringify(type.slice(0, 100))}: expected HTML, text or PDF`,
  );
}

const NOTHING_STATED: ExtractedPage = {
  title: '',
  author: null,
  published: null,
  language: null,
  canonical: null,
  site: null,
  text: '',
  notices: [],
};
