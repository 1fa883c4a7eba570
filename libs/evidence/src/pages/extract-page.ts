import { Readability } from '@mozilla/readability';
import type { TaskModule } from '@casefile/contracts';
// One file: the process that parses a page loads it in a third of the time of the package.
import { parseHTML } from 'linkedom/worker';
import { decodePage } from './decode-page.js';
import { visibleText } from './page-text.js';
import { pageFacts, pageNotices, type PageFacts } from './page-facts.js';
import type { PageDocument, PageElement, PageNode } from './dom.js';

export interface ExtractArgs {
  /** Address of the page. */
  url: string;
  contentType: string;
}

/** Main text of a page, and what the page states about itself. */
export interface ExtractedPage extends PageFacts {
  /** Paragraphs, separated by empty lines. */
  text: string;
  /** Notes outside the main text, such as that the article was retracted. */
  notices: string[];
}

/** Characters of a page that are kept: an hour of reading. */
export const MOST_TEXT = 60_000;
/** Readability takes cubic time in the depth of a page, and much time per element. Pages beyond get all their text. */
const MOST_DEPTH = 120;
const MOST_ELEMENTS = 20_000;

/** Returns the main text of an HTML page. */
export const run: TaskModule<ExtractArgs, ExtractedPage>['run'] = async (bytes, args) =>
  extractedPage(bytes, args);

/** See `run`. */
export function extractedPage(bytes: Uint8Array, { url, contentType }: ExtractArgs): ExtractedPage {
  const html = decodePage(bytes, contentType);
  const document = documentOf(html);
  const facts = pageFacts(document, url);
  const notices = pageNotices(document);
  const isReadable = depthOf(document) <= MOST_DEPTH;
  const article = isReadable
    ? new Readability<PageNode>(document, { maxElemsToParse: MOST_ELEMENTS, serializer: (node) => node })
    : null;
  const main = parsedBy(article);
  const text = visibleText(main?.content ?? documentOf(html).body, MOST_TEXT);
  return {
    ...facts,
    title: facts.title || oneLine(main?.title ?? ''),
    author: facts.author ?? (oneLine(main?.byline ?? '').slice(0, 200) || null),
    published: facts.published ?? main?.publishedTime ?? null,
    text,
    notices: notices.filter((notice) => !oneLine(text).includes(notice)),
  };
}

/** null: the page has no main text, or too many elements. */
function parsedBy(article: Readability<PageNode> | null) {
  try {
    return article?.parse() ?? null;
  } catch (error) {
    // Readability throws a plain error for a page with more elements than the limit.
    if (error instanceof Error) return null;
    throw error;
  }
}

function documentOf(html: string): PageDocument {
  const isWhole = /<html[\s>]/i.test(html.slice(0, 20_000)) && /<body[\s>]/i.test(html);
  return parseHTML(isWhole ? html : `<!doctype html><html><body>${html}</body></html>`)
    .document as PageDocument;
}

/** Depth of the deepest element, without recursion. */
function depthOf(document: PageDocument): number {
  let level: PageElement[] = [document.documentElement];
  let depth = 0;
  for (; level.length > 0 && depth <= MOST_DEPTH; depth += 1)
    level = level.flatMap((element) => [...element.children]);
  return depth;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
