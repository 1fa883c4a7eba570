import { CasefileError, type Tool } from '@casefile/contracts';
import { entityArgs } from '../entity-args.js';
import { createGuardedFetch, type GuardedFetchOptions } from '../fetch/guarded-fetch.js';
import { toolLimits, type EvidenceSettings } from '../settings.js';
import { registrableDomain } from '../registrable-domain.js';
import { searchExa } from '../sources/exa.js';

const NAME = 'exa_search';
/**
 * Types that the fan-out queries. Searches are paid, so a URL is queried by its domain, which is a separate
 * entity.
 */
const FAN_OUT = ['phone', 'email', 'domain', 'crypto', 'payment'] as const;
const ENTITY_TYPES = [...FAN_OUT, 'url'] as const;
/**
 * Number of pages to request: the heuristic counts up to ten complaints, and some pages only mention the
 * value.
 */
const PAGES = 15;

/**
 * Pages of the web that contain a value. Result `{ query, results: [{ title, url, published, snippet }] }`.
 * Whether a page complains or warns is decided later, when the evidence is weighed.
 */
export function searchComplaints(
  settings: Pick<EvidenceSettings, 'exa' | 'limits' | 'allowedHosts'>,
  network: Pick<GuardedFetchOptions, 'lookup'> = {},
): Tool {
  const args = entityArgs(ENTITY_TYPES);
  const { apiKey, baseUrl } = settings.exa;
  const guardedFetch = createGuardedFetch({
    ...network,
    baseUrl,
    allowedHosts: settings.allowedHosts?.[NAME] ?? [],
  });
  return {
    name: NAME,
    description: 'Searches the web for complaints about a phone number, address, domain or account.',
    // Without a key no server is queried: the gap needs no queue and no rate limit.
    locality: apiKey === undefined ? 'local' : 'remote',
    reads: 'outside',
    entityTypes: FAN_OUT,
    args,
    // Exa's smallest plan allows five requests per second.
    limits: toolLimits(NAME, { timeoutMs: 10_000, attempts: 3, concurrency: 5, perSecond: 5 }, settings),
    async run(input, { signal, clock }) {
      if (apiKey === undefined) throw new CasefileError('not_configured', 'No key for Exa: set EXA_API_KEY');
      const { entityType, entityValue } = args.parse(input);
      const subject = entityType === 'url' ? (registrableDomain(entityValue) ?? entityValue) : entityValue;
      const query = `complaints and scam reports about ${WORDS[entityType]} "${subject}"`;
      const search = { query, mustContain: subject, pages: PAGES };
      const results = await searchExa({ apiKey, guardedFetch }, search, { signal, clock });
      return {
        result: { query, results: results.map((page) => ({ ...page })) },
        source: new URL(baseUrl).host,
      };
    },
  };
}

const WORDS: Record<(typeof ENTITY_TYPES)[number], string> = {
  phone: 'the phone number',
  email: 'the e-mail address',
  domain: 'the website',
  url: 'the website',
  crypto: 'the crypto address',
  payment: 'the payment account',
};
