import { readFile } from 'node:fs/promises';
import { CasefileError, isObject, z, type Json, type Tool } from '@casefile/contracts';
import { createGuardedFetch, type GuardedFetchOptions } from '../fetch/guarded-fetch.js';
import { toolLimits, type EvidenceSettings } from '../settings.js';
import { searchExa } from '../sources/exa.js';

const NAME = 'web_search';
/** Characters of a page: enough to check a sentence against it. */
const TEXT = 4_000;
/** Minimum share of the query's words, or pairs of Han signs, that a stored page must contain to match. */
const LEAST_SHARE = 0.34;
const MOST_PAGES = 2_000;

const args = z.strictObject({
  query: z.string().trim().min(1).max(2_000),
  results: z.number().int().min(1).max(25).default(8),
});

const pagesSchema = z.array(z.looseObject({ url: z.string(), name: z.string() })).max(MOST_PAGES);

/**
 * Pages for a query. Result `{ query, results: [{ title, url, published, text }] }` as returned by the search
 * engine. Without a key, stored pages are searched if the settings name a file (`[{ url, name, site,
 * description, schema_object }]`, returned unchanged). If no stored page matches the query, the call is a
 * gap.
 */
export function searchWeb(
  settings: Pick<EvidenceSettings, 'exa' | 'limits' | 'allowedHosts' | 'pages'>,
  network: Pick<GuardedFetchOptions, 'lookup'> = {},
): Tool {
  const { apiKey, baseUrl } = settings.exa;
  const guardedFetch = createGuardedFetch({
    ...network,
    baseUrl,
    allowedHosts: settings.allowedHosts?.[NAME] ?? [],
  });
  return {
    name: NAME,
    description: 'Searches the web for pages on a query.',
    locality: apiKey === undefined ? 'local' : 'remote',
    reads: 'outside',
    entityTypes: [],
    args,
    limits: toolLimits(NAME, { timeoutMs: 15_000, attempts: 3, concurrency: 5, perSecond: 5 }, settings),
    async run(input, { signal, clock }) {
      signal.throwIfAborted();
      const { query, results: pages } = args.parse(input);
      if (apiKey === undefined) {
        const stored = settings.pages === undefined ? [] : await storedPages(settings.pages, query, pages);
        if (stored.length === 0) throw new CasefileError('not_configured', 'No key for Exa: set EXA_API_KEY');
        return { result: { query, results: stored }, source: 'stored pages' };
      }
      const search = { query, pages, characters: TEXT };
      const searchResult = await searchExa({ apiKey, guardedFetch }, search, { signal, clock });
      const results = searchResult.map(({ title, url, published, snippet }) => ({
        title,
        url,
        published,
        text: snippet,
      }));
      return { result: { query, results }, source: new URL(baseUrl).host };
    },
  };
}

/**
 * The stored pages that share most words with a query, best first. @throws CasefileError `not_configured` for
 * an invalid file.
 */
async function storedPages(file: string, query: string, most: number): Promise<Json[]> {
  const read = pagesSchema.safeParse(parsedText(await readFile(file, 'utf8').catch(() => '')));
  if (!read.success)
    throw new CasefileError('not_configured', `evidence.pages: ${file} is not a list of pages`);
  const queryParts = textParts(query);
  const weighed = read.data.map((page) => ({ page, share: askedShare(queryParts, textParts(asText(page))) }));
  return weighed
    .filter(({ share }) => share >= LEAST_SHARE)
    .toSorted((a, b) => b.share - a.share)
    .slice(0, most)
    .map(({ page }) => page as Json);
}

function parsedText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return isObject(value) ? Object.values(value).map(asText).join('\n') : '';
}

function textParts(text: string): Set<string> {
  const normal = text.normalize('NFKC').replaceAll('臺', '台').toLowerCase();
  const parts = new Set(normal.match(/[a-z0-9]{3,}/g) ?? []);
  for (const [run] of normal.matchAll(/\p{Script=Han}{2,}/gu))
    for (let i = 0; i + 2 <= run.length; i += 1) parts.add(run.slice(i, i + 2));
  return parts;
}

function askedShare(queryParts: ReadonlySet<string>, parts: ReadonlySet<string>): number {
  if (queryParts.size === 0) return 0;
  return [...queryParts].filter((part) => parts.has(part)).length / queryParts.size;
}
