import { secretVariable, urlVariable, z, type Json, type VariableValues } from '@casefile/contracts';
import { badAnswer } from '../fetch/read-json.js';
import type { GuardedFetch, RequestContext } from '../fetch/guarded-fetch.js';

/** Variables of the tools that search the web. */
export const EXA_VARIABLES = {
  EXA_API_KEY: secretVariable('web search', 'optional'),
  EXA_BASE_URL: urlVariable('web search', 'https://api.exa.ai'),
};

/** Returns the access to Exa that the variables give. */
export function exaOf(values: VariableValues<typeof EXA_VARIABLES>): { apiKey?: string; baseUrl: string } {
  return { apiKey: values.EXA_API_KEY, baseUrl: values.EXA_BASE_URL };
}

export interface WebPage {
  title: string;
  url: string;
  /** ISO 8601 as reported by the search engine; null if it does not know. */
  published: string | null;
  snippet: string;
}

/** Fields read from Exa's answer to POST /search; all others are ignored. */
const searchAnswer = z.object({
  results: z.array(
    z.object({
      url: z.string(),
      title: z.string().nullish(),
      publishedDate: z.string().nullish(),
      text: z.string().nullish(),
      highlights: z.array(z.string()).nullish(),
    }),
  ),
});

export interface ExaAccess {
  apiKey: string;
  guardedFetch: GuardedFetch;
}

/**
 * Makes one search, for pages whose text contains `mustContain` if given.
 * @param search.characters Length of a page's text. Default: 500.
 * @throws CasefileError as `createGuardedFetch`.
 */
export async function searchExa(
  { apiKey, guardedFetch }: ExaAccess,
  search: { query: string; mustContain?: string; pages: number; characters?: number },
  context: RequestContext,
): Promise<WebPage[]> {
  const { characters = SNIPPET } = search;
  const body: Json = {
    query: search.query,
    numResults: search.pages,
    ...(search.mustContain === undefined ? {} : { includeText: [search.mustContain] }),
    contents: { text: { maxCharacters: characters } },
  };
  const headers = { 'x-api-key': apiKey };
  const answer = await guardedFetch({ path: '/search', method: 'POST', headers, body }, context);
  const parsed = searchAnswer.safeParse(answer.body);
  if (!parsed.success) throw badAnswer(answer.host, 'JSON of another shape than documented', parsed.error);
  const { results } = parsed.data;
  return results
    .filter((page) => /^https?:\/\//i.test(page.url) && page.url.length <= 2048)
    .map((page) => webPage(page, characters));
}

const SNIPPET = 500;

function webPage(page: z.infer<typeof searchAnswer>['results'][number], characters: number): WebPage {
  const snippet = page.highlights?.[0] ?? page.text ?? '';
  return {
    title: (page.title ?? '').slice(0, 300),
    url: page.url,
    published: page.publishedDate ?? null,
    snippet: snippet.replace(/\s+/g, ' ').trim().slice(0, characters),
  };
}
