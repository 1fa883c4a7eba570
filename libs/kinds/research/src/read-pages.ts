import {
  isObject,
  z,
  type EvidenceItem,
  type FoundItem,
  type JsonObject,
  type PageRecord,
  type ToolRequest,
} from '@casefile/contracts';
import { askTools } from '@casefile/pipeline/ask-tools';
import { callItem } from '@casefile/pipeline/parts/look-ups';
import type { Collect } from '@casefile/pipeline/stage-parts';
import { searchWaitMs } from './deadline.js';
import { listIn, readItems, urlAddress } from './read-items.js';

/** Built-in search, whose results have the text of the pages. */
export const SEARCH = 'web_search';
export const READ_PAGE = 'read_page';

/** Turn of the pages: the searches are turn 1. */
const TURN = 2;
/** Most pages that a round reads. */
const MOST_PAGES = 12;

/** Reads the pages that searches of data sources found. Each is stored with its digest, so a replay reads the record. */
export function readingPages(collect: Collect): Collect {
  return async (input, ports) => {
    const outcome = await collect(input, ports);
    if (outcome.kind !== 'done' || !ports.run.settings.tools.includes(READ_PAGE)) return outcome;
    const { items } = outcome.artifact;
    const known = input.previous.evidence?.items ?? [];
    const read = new Set(known.map(({ entityValue }) => urlAddress(entityValue)));
    const { searches = [] } = ports.run.settings;
    const found = items.slice(known.length).filter(({ toolName }) => searches.includes(toolName));
    const requests = pagesToRead(found, read);
    if (requests.length === 0) return outcome;
    const asked = await askTools(TURN, requests, ports, searchWaitMs(input.brief, ports));
    if ('wait' in asked) return asked.wait;
    const pages = asked.calls.map((call, i) => ({
      ...callItem(call, items.length + i, input.brief),
      args: call.args,
    }));
    return { ...outcome, artifact: { ...outcome.artifact, items: [...items, ...pages] } };
  };
}

/** The first pages of each search in turn, so that no search takes all places. */
function pagesToRead(found: readonly EvidenceItem[], read: ReadonlySet<string>): ToolRequest[] {
  const lists = found.filter(({ success }) => success).map(({ result }) => readItems(listIn(result) ?? []));
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_none, i) => lists.flatMap((list) => list[i] ?? []));
  const urls = new Map(inTurn.flat().map(({ url }) => [urlAddress(url), url]));
  return [...urls]
    .filter(([address]) => !read.has(address))
    .slice(0, MOST_PAGES)
    .map(([, url]) => ({ tool: READ_PAGE, args: { url } }));
}

/** The result of the tool `read_page`. */
const pageSchema = z.object({
  url: z.string(),
  title: z.string(),
  text: z.string(),
  notices: z.array(z.string()),
  published: z.string().nullable(),
  site: z.string().nullable(),
  author: z.string().nullable(),
  language: z.string().nullable(),
  canonical: z.string().nullable(),
  sha256: z.string(),
  readAt: z.string(),
});

/** A page that a search found: its text, or why it was not read. */
export type FoundPage = { item: FoundItem } | { item: FoundItem; unread: string };

/** Returns the results of a search with the text of the pages in place of the words that the search showed. */
export function withPages(results: readonly FoundItem[], found: readonly EvidenceItem[]): FoundPage[] {
  const pages = new Map(
    found
      .filter(({ toolName }) => toolName === READ_PAGE)
      .map((page) => [urlAddress(String(page.args?.['url'])), page] as const),
  );
  return results.map((item) => {
    const page = pages.get(urlAddress(item.url));
    if (page === undefined) return { item, unread: `a round reads at most ${MOST_PAGES} pages` };
    if (!page.success) return { item, unread: page.message ?? page.reason ?? 'no answer' };
    const read = pageItem(page.result, item);
    return read === null ? { item, unread: 'its text could not be read' } : { item: read };
  });
}

function pageItem(result: EvidenceItem['result'], found: FoundItem): FoundItem | null {
  const parsed = pageSchema.safeParse(result);
  if (!parsed.success || !isObject(result)) return null;
  const { url, title, text, notices, published, sha256, readAt, author, language, canonical } = parsed.data;
  const given: JsonObject = {
    url,
    title: title === '' ? found.name : title,
    // Notes of the page come first, where its marks are looked for.
    text: [...notices, text].join('\n\n'),
    ...(published === null ? {} : { published }),
  };
  const [item] = readItems([given]);
  const page: PageRecord = { sha256, readAt, author, language, canonical };
  return item === undefined ? null : { ...item, published: item.published ?? found.published, page };
}
