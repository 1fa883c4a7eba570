import type { LookupFunction } from 'node:net';
import { isObject, CasefileError, type Clock, type Json } from '@casefile/contracts';
import type { Agent, Response } from 'undici';
import { addressRefused, isAddress, isAllowedHost, isPublicAddress, publicLookup } from './addresses.js';
import { readBytes, readJson } from './read-json.js';

export interface GuardedFetchOptions {
  /** The operator's own choice: its host may be in-house or on loopback. Everything else has to be public. */
  baseUrl: string;
  /** The base URL is nobody's choice here (it stands in an alert): its host has to be public too. */
  untrusted?: true;
  /** Where a redirect may lead besides the base host; the patterns of `isAllowedHost`. */
  allowedHosts?: readonly string[];
  /** Of the decoded body. */
  maxBytes?: number;
  /** How long making a connection may take, its name looked up included; undici's own (10 s) by default. */
  connectTimeoutMs?: number;
  /** The system's by default. */
  lookup?: LookupFunction;
}

interface GuardedRequest {
  /** Appended to the base URL; its parts are encoded already. */
  path: string;
  method?: 'GET' | 'POST';
  /** Sent to the base host only, never to where a redirect leads. */
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: Json;
  /** Sent as it is, in place of `body`. */
  content?: { type: string; bytes: Uint8Array };
  /** Statuses besides 2xx that are an answer and not a failure. */
  answers?: readonly number[];
}

/** `body` is null when an answer of another status than 2xx is not JSON. */
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

/** An answer as it came, of whatever content type. */
export interface PlainAnswer {
  status: number;
  contentType: string;
  bytes: Buffer;
}

export type GuardedRead = (
  request: Omit<GuardedRequest, 'answers'>,
  context: RequestContext,
) => Promise<PlainAnswer>;

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
  const guarded = createGuard(options, 'application/json');
  return (request, context) =>
    guarded(request, context, (response, host, maxBytes) =>
      answerOf(response, request, context, host, maxBytes),
    );
}

/** The same for pages and files: every content type is taken. @throws CasefileError as `createGuardedFetch` does. */
export function createGuardedRead(options: GuardedFetchOptions): GuardedRead {
  const guarded = createGuard(options, '*/*');
  return (request, context) =>
    guarded(request, context, async (response, host, maxBytes) => {
      const { status } = response;
      if (!response.ok) {
        await response.body?.cancel();
        throw statusFailure(status, new Headers([...response.headers]), host, context.clock);
      }
      const contentType = response.headers.get('content-type') ?? '';
      return { status, contentType, bytes: await readBytes(response, host, maxBytes) };
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
  let client: Promise<Client> | null = null;

  const send = async (url: URL, request: GuardedRequest, context: RequestContext): Promise<Response> => {
    const own = url.origin === base.origin;
    const trusted = own && options.untrusted !== true;
    if (!trusted && isAddress(url.hostname) && !isPublicAddress(url.hostname))
      throw addressRefused(url.hostname);
    const headers = { accept, ...(own ? request.headers : {}) };
    const content = contentOf(request);
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

interface Client {
  fetch: typeof import('undici').fetch;
  /** Connects to whatever address the name has. */
  trusting: Agent;
  /** To public ones only. */
  guarding: Agent;
}

// Loaded by the first request: most processes never make one.
async function openClient({ connectTimeoutMs, lookup }: GuardedFetchOptions): Promise<Client> {
  const { Agent, fetch } = await import('undici');
  return {
    fetch,
    trusting: new Agent({ connect: { timeout: connectTimeoutMs } }),
    guarding: new Agent({ connect: { timeout: connectTimeoutMs, lookup: publicLookup(lookup) } }),
  };
}

function contentOf({ body, content }: GuardedRequest): { type: string; bytes: Uint8Array | string } | null {
  if (body === undefined) return content ?? null;
  return { type: 'application/json', bytes: JSON.stringify(body) };
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

/** The error an HTTP status stands for, when it is not an answer. */
function statusFailure(status: number, headers: Headers, host: string, clock: Clock): CasefileError {
  const details = { host, status };
  const retryAfterMs = retryAfter(headers, clock);
  if (status === 401 || status === 403) {
    return new CasefileError('bad_key', `${host} refuses the key (HTTP ${status})`, { details });
  }
  if (status === 402) {
    return new CasefileError('quota_exhausted', `${host} says the account has nothing left (HTTP 402)`, {
      details,
    });
  }
  if (status === 429) {
    const facts = { retryable: true, retryAfterMs, details };
    return new CasefileError('rate_limited', `${host} asks for fewer requests (HTTP 429)`, facts);
  }
  if (status >= 500 || status === 408) {
    const facts = { retryable: true, retryAfterMs, details };
    return new CasefileError('server_error', `${host} answered with HTTP ${status}`, facts);
  }
  return new CasefileError('bad_answer', `${host} answered with HTTP ${status}`, { details });
}

/** What broke a connection, as a CasefileError; one that was thrown on purpose further down is handed on. */
function connectionFailure(thrown: unknown, host: string, signal: AbortSignal): CasefileError {
  if (signal.aborted) return abortFailure(signal, host);
  const chain = causesOf(thrown);
  const own = chain.find((cause) => cause instanceof CasefileError);
  if (own !== undefined) return own;
  const code = chain.map(codeOf).find((each) => each !== '') ?? 'unknown';
  if (/TIMEOUT|TIMEDOUT/.test(code)) {
    const facts = { retryable: true, details: { host, code }, cause: thrown };
    return new CasefileError('timeout', `${host} did not answer in time`, facts);
  }
  const facts = { retryable: true, details: { host, code }, cause: thrown };
  return new CasefileError('network', `The connection to ${host} failed (${code})`, facts);
}

// An error of undici holds what happened as its cause, sometimes as the cause of that.
function causesOf(thrown: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let cause = thrown; isObject(cause) && chain.length < 8; cause = cause['cause']) chain.push(cause);
  return chain;
}

function abortFailure(signal: AbortSignal, host: string): CasefileError {
  const reason: unknown = signal.reason;
  if (reason instanceof CasefileError) return reason;
  if (isObject(reason) && reason['name'] === 'TimeoutError') {
    return new CasefileError('timeout', `${host} did not answer in time`, { retryable: true, cause: reason });
  }
  return new CasefileError('aborted', `The request to ${host} was called off`, { cause: reason });
}

function codeOf(error: unknown): string {
  return isObject(error) && typeof error['code'] === 'string' ? error['code'] : '';
}

// RFC 9110: seconds, or a date.
function retryAfter(headers: Headers, clock: Clock): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - clock.now());
}
