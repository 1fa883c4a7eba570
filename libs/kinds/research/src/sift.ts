import {
  firstCharacters,
  foundItemSchema,
  type EvidenceItem,
  type FoundItem,
  type JsonObject,
  type LeftOut,
} from '@casefile/contracts';
import type { PlanInput } from '@casefile/pipeline/parts/look-ups';
import type { Sift } from '@casefile/pipeline/parts/sifting';
import { filterSources, type LeftOut as Dropped } from './filter.js';
import { listIn, readItems, urlAddress } from './read-items.js';
import { READ_PAGE, SEARCH, withPages } from './read-pages.js';
import { optionsOf, requestIn, sourcesIn } from './result.js';
import { tiersFor } from './tiers.js';

/** Source of search results that came with the alert. */
export const HANDED_IN = 'handed_in';
/** Searches of data sources that one query is sent to, and the most characters of the query. */
const MOST_SEARCHES = 3;
const MOST_WORDS = 400;

/**
 * Returns the searches to run: those that the analyst requested. In the first round: the query, if no results
 * were supplied. A data source with a search replaces the built-in one.
 */
export function searches({ brief, previous, settings }: Pick<PlanInput, 'brief' | 'previous' | 'settings'>) {
  const { query: asked, given } = requestIn(brief);
  const queries = previous.draft?.queries ?? (previous.draft === undefined && given === 0 ? [asked] : []);
  const { resultsPerSearch } = optionsOf(settings);
  const own = (settings.searches ?? []).slice(0, MOST_SEARCHES);
  return queries.flatMap((query) =>
    own.length === 0
      ? [{ tool: SEARCH, args: { query, results: resultsPerSearch } }]
      : own.map((tool) => ({ tool, args: { query: firstCharacters(query, MOST_WORDS) } })),
  );
}

const WHY = {
  tier: 'its tier is not one that this mode takes',
  unknown: 'it is in no tier, and this mode takes known sources alone',
  date: 'it is of other days than were asked for',
  paywall: 'its text is a paywall, not an article',
  cookies: 'its text is a notice on cookies, not an article',
  login: 'its text asks to sign in, and is no article',
  retracted: 'its article was retracted',
  blocked: 'its text is an error or a check of the browser, not an article',
} as const;

/**
 * Turns each search result that the mode allows into a source, each URL only one time per run. A failed
 * search stays a gap.
 */
export const sift: Sift = ({ brief, settings, known, found }) => {
  const request = requestIn(brief);
  const own = optionsOf(settings);
  const options = { ...own, sourceTiers: [...tiersFor(request.query, own)] };
  const pages = { found, searches: settings.searches ?? [] };
  const seen = new Set(sourcesIn({ items: [...known] }).map(({ source }) => urlAddress(source.url)));
  const newest = newestDay([
    ...sourcesIn({ items: [...known] }).map(({ source }) => source.published),
    ...found
      .filter((one) => one.success && isResult(one, pages))
      .flatMap((one) => resultPages(one, pages).pages.map(({ published }) => published)),
  ]);
  const items: EvidenceItem[] = [];
  const leftOut: LeftOut[] = [];
  for (const one of found) {
    // A page is part of the search that found it.
    if (one.toolName === READ_PAGE) continue;
    if (!one.success || !isResult(one, pages)) {
      items.push(one);
      continue;
    }
    const { pages: read, unread } = resultPages(one, pages);
    leftOut.push(...unread);
    const fresh = read.filter(({ url }) => !seen.has(urlAddress(url)));
    fresh.forEach(({ url }) => seen.add(urlAddress(url)));
    const query = evidenceItemQuery(one);
    const taken = filterSources(fresh, { ...request, options, query, newest });
    items.push(
      ...taken.kept.map((source) => ({
        ...one,
        entityType: 'page',
        entityValue: source.url.slice(0, 2_048),
        result: source as unknown as JsonObject,
        ...(query === null ? {} : { args: { query } }),
      })),
    );
    leftOut.push(...taken.leftOut.map(asLeftOut));
  }
  return { items, leftOut };
};

/** All items of a round, and the tools whose results are addresses of pages. */
interface RoundItems {
  found: readonly EvidenceItem[];
  searches: readonly string[];
}

const isResult = ({ toolName }: EvidenceItem, { searches }: RoundItems): boolean =>
  toolName === HANDED_IN || toolName === SEARCH || searches.includes(toolName);

/** Pages of a result, and those that were not read. What a search shows of a page is no source. */
function resultPages(
  one: EvidenceItem,
  { found, searches }: RoundItems,
): { pages: FoundItem[]; unread: LeftOut[] } {
  const results = evidenceItemResults(one);
  if (!searches.includes(one.toolName)) return { pages: results, unread: [] };
  const pages = withPages(results, found);
  return {
    pages: pages.flatMap((page) => ('unread' in page ? [] : [page.item])),
    unread: pages.flatMap((page) =>
      'unread' in page
        ? [
            {
              what: `${page.item.site}: ${page.item.name}`.slice(0, 500),
              why: `the page was not read: ${page.unread}`.slice(0, 500),
              about: { url: page.item.url, why: 'unread', keptBy: [] },
            },
          ]
        : [],
    ),
  };
}

function newestDay(days: readonly (string | null)[]): number {
  const known = days.map((day) => Date.parse(day ?? '')).filter((at) => !Number.isNaN(at));
  return known.length === 0 ? Number.NaN : Math.max(...known);
}

function evidenceItemResults({ toolName, result }: EvidenceItem): FoundItem[] {
  if (toolName !== HANDED_IN) return readItems(listIn(result) ?? []);
  const read = foundItemSchema.safeParse(result);
  return read.success ? [read.data] : [];
}

function evidenceItemQuery({ toolName, result }: EvidenceItem): string | null {
  if (toolName === HANDED_IN || typeof result !== 'object' || result === null || Array.isArray(result))
    return null;
  const { query } = result;
  return typeof query === 'string' ? query : null;
}

const asLeftOut = (dropped: Dropped): LeftOut => ({
  what: `${dropped.site}: ${dropped.name}`.slice(0, 500),
  why: WHY[dropped.why],
  about: dropped as unknown as JsonObject,
});
