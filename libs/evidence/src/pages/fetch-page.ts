import type { LookupFunction } from 'node:net';
import { CasefileError, sleep, type ToolContext } from '@casefile/contracts';
import { isAllowedHost } from '../fetch/addresses.js';
import { createGuardedRead, type PlainAnswer } from '../fetch/guarded-fetch.js';
import type { PageReaderSettings } from '../settings.js';
import { allowsPath, readRobots, ROBOTS_BYTES, type RobotsRules } from './robots.js';

/** A page as its server sent it. */
export interface FetchedPage {
  /** Address after redirects. */
  url: string;
  contentType: string;
  bytes: Buffer;
}
export type FetchPage = (
  address: string,
  context: Pick<ToolContext, 'signal' | 'clock'>,
) => Promise<FetchedPage>;

/** Name in the header User-Agent, and in robots.txt. */
const PRODUCT = 'Casefile';
const HEADERS = {
  'user-agent': `${PRODUCT}/1 (page reader)`,
  'accept-language': 'en, *;q=0.5',
};
/** Bytes of a page: an article with its markup has about 0.3 MB, a PDF of 100 pages about 3 MB. */
const PAGE_BYTES = 8_000_000;
const MOST_REDIRECTS = 4;
/** How long a robots.txt is used. RFC 9309 (section 2.4) allows a day. */
const ROBOTS_MS = 3_600_000;
const MOST_HOSTS = 1_000;

/**
 * Creates a reader of public pages. It asks each host at its rate and only what its robots.txt allows, and checks
 * the target of each redirect like the address.
 * @throws CasefileError `robots_refused`, `redirect_refused`, `invalid_arguments`, and errors of the guarded fetch.
 */
export function createPageFetch(
  settings: PageReaderSettings,
  network: { lookup?: LookupFunction } = {},
): FetchPage {
  const turnOf = hostTurns(settings.perHostPerSecond);
  const rulesOf = robotsReader(read);

  async function read(
    address: URL,
    context: Parameters<FetchPage>[1],
    { maxBytes, accepted = [] }: { maxBytes: number; accepted?: readonly number[] },
  ): Promise<PlainAnswer> {
    await turnOf(address.host, context);
    const isPrivate = isAllowedHost(address, settings.privateHosts);
    const guarded = createGuardedRead({
      ...network,
      baseUrl: address.origin,
      maxBytes,
      returnsRedirects: true,
      ...(isPrivate ? {} : { untrusted: true as const }),
    });
    const path = `${address.pathname}${address.search}`;
    return guarded({ path, headers: HEADERS, acceptedStatuses: accepted }, context);
  }

  return async (first, context) => {
    let address = pageAddress(first, null);
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const rules = await rulesOf(address, context);
      if (!allowsPath(rules, `${address.pathname}${address.search}`))
        throw new CasefileError('robots_refused', `robots.txt of ${address.host} does not allow this page`, {
          details: { host: address.host },
        });
      const answer = await read(address, context, { maxBytes: PAGE_BYTES });
      const { location, contentType, bytes } = answer;
      if (location === undefined) return { url: address.href, contentType, bytes };
      address = pageAddress(location ?? '', address);
    }
    throw new CasefileError(
      'redirect_refused',
      `${address.host} redirects more than ${MOST_REDIRECTS} times`,
      { details: { host: address.host } },
    );
  };
}

/** @throws CasefileError `invalid_arguments` for an address that no page of the web has, `redirect_refused`. */
function pageAddress(text: string, from: URL | null): URL {
  const address = URL.canParse(text, from?.href) ? new URL(text, from?.href) : null;
  const isPage =
    address !== null && /^https?:$/.test(address.protocol) && address.username + address.password === '';
  if (!isPage && from === null)
    throw new CasefileError('invalid_arguments', 'url: expected an http or https address without a password');
  if (!isPage || (from?.protocol === 'https:' && address.protocol === 'http:'))
    throw new CasefileError('redirect_refused', `${from?.host} redirects to where no page is read`);
  address.hash = '';
  return address;
}

type ReadPage = (
  address: URL,
  context: Parameters<FetchPage>[1],
  limits: { maxBytes: number; accepted?: readonly number[] },
) => Promise<PlainAnswer>;

/** Statuses that mean that a site has no robots.txt. RFC 9309 (section 2.3.1.3): everything is allowed. */
const NO_ROBOTS = Array.from({ length: 100 }, (_none, i) => 400 + i).filter((status) => status !== 429);

/** Reads the rules of each host once an hour. A host whose robots.txt fails otherwise is not asked for pages. */
function robotsReader(read: ReadPage) {
  const known = new Map<string, { until: number; rules: Promise<RobotsRules> }>();
  const fetchRules = async (origin: string, context: Parameters<FetchPage>[1]): Promise<RobotsRules> => {
    let address = new URL('/robots.txt', origin);
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const answer = await read(address, context, { maxBytes: ROBOTS_BYTES, accepted: NO_ROBOTS });
      if (answer.location === undefined)
        return answer.status === 200 ? readRobots(answer.bytes.toString('utf8'), PRODUCT.toLowerCase()) : [];
      address = pageAddress(answer.location ?? '', address);
    }
    return [];
  };
  return async ({ origin }: URL, context: Parameters<FetchPage>[1]): Promise<RobotsRules> => {
    const now = context.clock.now();
    const kept = known.get(origin);
    if (kept !== undefined && kept.until > now) return kept.rules;
    const rules = fetchRules(origin, context);
    known.delete(origin);
    if (known.size >= MOST_HOSTS) known.delete(known.keys().next().value!);
    known.set(origin, { until: now + ROBOTS_MS, rules });
    try {
      return await rules;
    } catch (error) {
      known.delete(origin);
      throw error;
    }
  };
}

/** Spaces the requests to each host evenly. */
function hostTurns(perSecond: number) {
  const next = new Map<string, number>();
  return async (host: string, { clock, signal }: Parameters<FetchPage>[1]): Promise<void> => {
    const now = clock.now();
    const at = Math.max(now, next.get(host) ?? 0);
    next.delete(host);
    if (next.size >= MOST_HOSTS) next.delete(next.keys().next().value!);
    next.set(host, at + 1_000 / perSecond);
    if (at > now) await sleep(at - now, signal);
  };
}
