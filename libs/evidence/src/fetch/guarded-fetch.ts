import type { LookupFunction } from 'node:net';
import { CasefileError, type Clock, type Json } from '@casefile/contracts';
import { Agent, fetch, type Response } from 'undici';
import { isAllowedHost } from './allowed-hosts.js';
import { connectionFailure, statusFailure } from './http-failure.js';
import { addressRefused, isAddress, isPublicAddress, publicLookup } from './public-address.js';
import { readJson } from './read-json.js';

export interface GuardedFetchOptions {
  /** The operator's own choice: its host may be in-house or on loopback. Everything else has to be public. */
  baseUrl: string;
  /** Where a redirect may lead besides the base host; the patterns of `isAllowedHost`. */
  allowedHosts?: readonly string[];
  /** Of the decoded body. */
  maxBytes?: number;
  /** How long making a connection may take, its name looked up included; undici's own (10 s) by default. */
  connectTimeoutMs?: number;
  /** The system's by default. */
  lookup?: LookupFunction;
}

export interface GuardedRequest {
  /** Appended to the base URL; its parts are encoded already. */
  path: string;
  method?: 'GET' | 'POST';
  /** Sent to the base host only, never to where a redirect leads. */
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: Json;
  /** Statuses besides 2xx that are an answer and not a failure. */
  answers?: readonly number[];
}

/** `body` is null when an answer of another status than 2xx is not JSON. */
export interface JsonAnswer {
  status: number;
  body: Json;
  host: string;
}

export interface RequestContext {
  signal: AbortSignal;
  clock: Clock;
}

export type GuardedFetch = (request: GuardedRequest, context: RequestContext) => Promise<JsonAnswer>;

/** Twenty times the largest honest answer seen from the services we ask. */
const MAX_BYTES = 2_000_000;
const MAX_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * A JSON client for one service that cannot be led astray: http(s) only, its own host and allow-listed hosts only,
 * addresses judged when the connection is made, redirects followed by hand and judged again, size and time limited.
 * @throws CasefileError `timeout`, `too_large`, `bad_answer`, `redirect_refused`, `address_refused`, `rate_limited`,
 * `quota_exhausted`, `server_error`, `bad_key`, `network`.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const base = new URL(options.baseUrl);
  if (!isHttp(base))
    throw new CasefileError('bad_configuration', `${base.protocol} is not a protocol of a base URL`);
  const agents = {
    base: new Agent({ connect: { timeout: options.connectTimeoutMs } }),
    other: new Agent({
      connect: { timeout: options.connectTimeoutMs, lookup: publicLookup(options.lookup) },
    }),
  };

  const send = async (url: URL, request: GuardedRequest, context: RequestContext): Promise<Response> => {
    const own = url.origin === base.origin;
    if (!own && isAddress(url.hostname) && !isPublicAddress(url.hostname)) throw addressRefused(url.hostname);
    const headers = { accept: 'application/json', ...(own ? request.headers : {}) };
    const content = request.body === undefined ? {} : { body: JSON.stringify(request.body) };
    return fetch(url, {
      method: request.method ?? 'GET',
      headers: request.body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...content,
      redirect: 'manual',
      signal: context.signal,
      dispatcher: own ? agents.base : agents.other,
    });
  };

  // `at` says which host is being asked, also when the connection to it fails.
  const follow = async (request: GuardedRequest, context: RequestContext, at: { host: string }) => {
    let url = new URL(options.baseUrl.replace(/(?<!\/)\/+$/, '') + request.path);
    for (let redirects = 0; ; redirects += 1) {
      at.host = url.host;
      const response = await send(url, request, context);
      if (!REDIRECTS.includes(response.status)) return response;
      await response.body?.cancel();
      if (redirects === MAX_REDIRECTS) throw redirectRefused(url, `more than ${MAX_REDIRECTS} times`);
      if (request.method === 'POST') throw redirectRefused(url, 'a request that carries a body');
      url = redirectTarget(url, response.headers.get('location'), base, options.allowedHosts ?? []);
    }
  };

  return async (request, context) => {
    const at = { host: base.host };
    try {
      const response = await follow(request, context, at);
      return await answerOf(response, request, context, at.host, options.maxBytes ?? MAX_BYTES);
    } catch (error) {
      throw connectionFailure(error, at.host, context.signal);
    }
  };
}

async function answerOf(
  response: Response,
  request: GuardedRequest,
  context: RequestContext,
  host: string,
  maxBytes: number,
): Promise<JsonAnswer> {
  const { status } = response;
  if (response.ok) return { status, host, body: await readJson(response, host, maxBytes) };
  if (request.answers?.includes(status) !== true) {
    await response.body?.cancel();
    throw statusFailure(status, new Headers([...response.headers]), host, context.clock);
  }
  const body = await readJson(response, host, maxBytes).catch((error: unknown) => {
    // The status says it all; a page of text under it is common.
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
