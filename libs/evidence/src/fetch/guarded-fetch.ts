import type { LookupFunction } from 'node:net';
import { CasefileError, type Clock, type Json } from '@casefile/contracts';
import type { Agent, Response } from 'undici';
import { addressRefused, isAddress, isAllowedHost, isPublicAddress, publicLookup } from './addresses.js';
import { readBytes, readJson } from './read-json.js';
import { statusFailure, connectionFailure } from './fetch-failures.js';

export interface GuardedFetchOptions {
  /** Configured by the operator: its host may be in-house or on loopback. All other hosts must be public. */
  baseUrl: string;
  /** The base URL comes from an alert, not from the operator, so its host must be public too. */
  untrusted?: true;
  /** Allowed hosts of redirects in addition to the base host; patterns of `isAllowedHost`. */
  allowedHosts?: readonly string[];
  /** Whether a redirect is returned as an answer, for callers that check each target. Default: it is followed. */
  returnsRedirects?: true;
  /** Limit of the decoded body. */
  maxBytes?: number;
  /** Time limit for connecting, including the DNS lookup. Default: undici's own (10 s). */
  connectTimeoutMs?: number;
  /** Default: the system's DNS lookup. */
  lookup?: LookupFunction;
}

interface GuardedRequest {
  /** Appended to the base URL; its parts are already encoded. */
  path: string;
  method?: 'GET' | 'POST';
  /** Sent only to the base host, never to the target of a redirect. */
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: Json;
  /** Sent unchanged, in place of `body`. */
  content?: { type: string; bytes: Uint8Array };
  /** Statuses besides 2xx that count as an answer, not as a failure. */
  acceptedStatuses?: readonly number[];
}

/** `body` is null if an answer with a status other than 2xx is not JSON. */
interface JsonAnswer {
  status: number;
  body: Json;
  host: string;
}

export interface RequestContext {
  signal: AbortSignal;
  clock: Clock;
}

export type GuardedFetch = (request: GuardedRequest, context: RequestContext) => Promise<JsonAnswer>;

/** An answer as received, of any content type and any accepted status. */
export interface PlainAnswer {
  status: number;
  contentType: string;
  bytes: Buffer;
  /** Validators of the answer. */
  etag?: string | null;
  lastModified?: string | null;
  /** Target of a redirect, if redirects are returned. */
  location?: string | null;
}

export type GuardedRead = (request: GuardedRequest, context: RequestContext) => Promise<PlainAnswer>;

/** Maximum size of an answer in bytes: twenty times the largest genuine answer of the queried services. */
const MAX_BYTES = 2_000_000;
const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Creates a JSON client for one service. It uses http(s) only and contacts only its own and allow-listed
 * hosts. It checks addresses when the connection is made, follows redirects itself and checks each, and
 * limits size and time.
 * @throws CasefileError `timeout`, `too_large`, `bad_answer`, `redirect_refused`, `address_refused`,
 * `rate_limited`, `quota_exhausted`, `server_error`, `bad_key`, `network`.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const guarded = createGuard(options, 'application/json');
  return (request, context) =>
    guarded(request, context, (response, host, maxBytes) =>
      responseAnswer(response, request, context, host, maxBytes),
    );
}

/**
 * As `createGuardedFetch` for pages and files of every content type. @throws CasefileError as
 * `createGuardedFetch`.
 */
export function createGuardedRead(options: GuardedFetchOptions): GuardedRead {
  const guarded = createGuard(options, '*/*');
  return (request, context) =>
    guarded(request, context, async (response, host, maxBytes) => {
      const { status } = response;
      const [etag, lastModified] = [response.headers.get('etag'), response.headers.get('last-modified')];
      const contentType = response.headers.get('content-type') ?? '';
      if (REDIRECTS.includes(status)) {
        await response.body?.cancel();
        return { status, contentType, bytes: Buffer.alloc(0), location: response.headers.get('location') };
      }
      if (!response.ok && request.acceptedStatuses?.includes(status) !== true) {
        await response.body?.cancel();
        throw statusFailure(status, new Headers([...response.headers]), host, context.clock);
      }
      return { status, contentType, bytes: await readBytes(response, host, maxBytes), etag, lastModified };
    });
}

type Guard = <A>(
  request: GuardedRequest,
  context: RequestContext,
  read: (response: Response, host: string, maxBytes: number) => Promise<A>,
) => Promise<A>;

function createGuard(options: GuardedFetchOptions, accept: string): Guard {
  const base = new URL(options.baseUrl);
  if (!isHttp(base))
    throw new CasefileError('bad_configuration', `${base.protocol} is not a protocol of a base URL`);
  let client: Promise<FetchClient> | null = null;

  const send = async (url: URL, request: GuardedRequest, context: RequestContext): Promise<Response> => {
    const own = url.origin === base.origin;
    const trusted = own && options.untrusted !== true;
    if (!trusted && isAddress(url.hostname) && !isPublicAddress(url.hostname))
      throw addressRefused(url.hostname);
    const headers = { accept, ...(own ? request.headers : {}) };
    const content = requestContent(request);
    const { fetch, trusting, guarding } = await (client ??= openClient(options));
    return fetch(url, {
      method: request.method ?? 'GET',
      headers: content === null ? headers : { ...headers, 'content-type': content.type },
      ...(content === null ? {} : { body: content.bytes }),
      redirect: 'manual',
      signal: context.signal,
      dispatcher: trusted ? trusting : guarding,
    });
  };

  // `at` holds the host of the current request, so that errors can name it even if connecting fails.
  const follow = async (request: GuardedRequest, context: RequestContext, at: { host: string }) => {
    let url = new URL(options.baseUrl.replace(/(?<!\/)\/+$/, '') + request.path);
    for (let redirects = 0; ; redirects += 1) {
      at.host = url.host;
      const response = await send(url, request, context);
      if (options.returnsRedirects === true || !REDIRECTS.includes(response.status)) return response;
      await response.body?.cancel();
      if (redirects === MAX_REDIRECTS) throw redirectRefused(url, `more than ${MAX_REDIRECTS} times`);
      if (request.method === 'POST') throw redirectRefused(url, 'a request that carries a body');
      url = redirectTarget(url, response.headers.get('location'), base, options.allowedHosts ?? []);
    }
  };

  return async (request, context, read) => {
    const at = { host: base.host };
    try {
      const response = await follow(request, context, at);
      return await read(response, at.host, options.maxBytes ?? MAX_BYTES);
    } catch (error) {
      throw connectionFailure(error, at.host, context.signal);
    }
  };
}

interface FetchClient {
  fetch: typeof import('undici').fetch;
  /** Connects to any address. */
  trusting: Agent;
  /** Connects only to public addresses. */
  guarding: Agent;
}

// Loaded by the first request, because most processes make none.
async function openClient({ connectTimeoutMs, lookup }: GuardedFetchOptions): Promise<FetchClient> {
  const { Agent, fetch } = await import('undici');
  return {
    fetch,
    trusting: new Agent({ connect: { timeout: connectTimeoutMs } }),
    guarding: new Agent({ connect: { timeout: connectTimeoutMs, lookup: publicLookup(lookup) } }),
  };
}

function requestContent({
  body,
  content,
}: GuardedRequest): { type: string; bytes: Uint8Array | string } | null {
  if (body === undefined) return content ?? null;
  return { type: 'application/json', bytes: JSON.stringify(body) };
}

async function responseAnswer(
  response: Response,
  request: GuardedRequest,
  context: RequestContext,
  host: string,
  maxBytes: number,
): Promise<JsonAnswer> {
  const { status } = response;
  if (response.ok) return { status, host, body: await readJson(response, host, maxBytes) };
  if (request.acceptedStatuses?.includes(status) !== true) {
    await response.body?.cancel();
    throw statusFailure(status, new Headers([...response.headers]), host, context.clock);
  }
  const body = await readJson(response, host, maxBytes).catch((error: unknown) => {
    // Error answers often contain plain text, so a body that is not JSON is ignored and the status decides.
    if (error instanceof CasefileError && error.reasonCode === 'bad_answer') return null;
    throw error;
  });
  return { status, host, body };
}

function redirectTarget(from: URL, location: string | null, base: URL, allowed: readonly string[]): URL {
  if (location === null || !URL.canParse(location, from.href)) throw redirectRefused(from, 'to nowhere');
  const to = new URL(location, from);
  if (!isHttp(to)) throw redirectRefused(from, `to ${to.protocol}`);
  if (from.protocol === 'https:' && to.protocol === 'http:')
    throw redirectRefused(from, 'from https to http');
  if (to.username !== '' || to.password !== '') throw redirectRefused(from, 'to an address with a password');
  if (to.origin !== base.origin && !isAllowedHost(to, allowed)) throw redirectRefused(from, `to ${to.host}`);
  return to;
}

function isHttp(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

function redirectRefused(from: URL, what: string): CasefileError {
  return new CasefileError('redirect_refused', `${from.host} redirects ${what}`, {
    details: { host: from.host },
  });
}
