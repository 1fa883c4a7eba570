import type { LookupFunction } from 'node:net';
import { CasefileError, type Clock } from '@casefile/contracts';
import type { Agent, Response } from 'undici';
import { addressRefused, isAddress, isPublicAddress, publicLookup } from './addresses.js';
import { connectionFailure, retryAfter } from './fetch-failures.js';

export interface GuardedPostOptions {
  /** Time for the whole request, in milliseconds. */
  timeoutMs: number;
  /** Most bytes of the answer that are read; the rest is discarded. */
  maxBytes: number;
  clock: Clock;
  /** Default: the system's DNS lookup. */
  lookup?: LookupFunction;
}

/** An answer of any status. A redirect is an answer too: it is not followed. */
export interface PostAnswer {
  status: number;
  /** Milliseconds until the receiver wants the next request; null: it states none. */
  retryAfterMs: number | null;
  /** The first bytes. */
  text: string;
}

/** Posts a body to a URL that the operator configured. */
export interface GuardedPost {
  /**
   * @param allowPrivate Whether the address may be private or loopback.
   * @throws CasefileError `address_refused`, `timeout`, `network`, `bad_configuration` for another protocol.
   */
  post(
    url: string,
    request: { headers: Record<string, string>; body: string },
    allowPrivate: boolean,
  ): Promise<PostAnswer>;
  /** Loads the HTTP client, so that the first request does not wait for it. */
  load(): Promise<void>;
  close(): Promise<void>;
}

interface PostClient {
  fetch: typeof import('undici').fetch;
  open: Agent;
  guarded: Agent;
}

/**
 * Creates a client that posts to other systems. Like the client of tools, it uses http(s) only and checks
 * addresses when the connection is made. Unlike that client, it treats every status as an answer.
 */
export function createGuardedPost({ timeoutMs, maxBytes, clock, lookup }: GuardedPostOptions): GuardedPost {
  let client: Promise<PostClient> | null = null;
  const opened = () => (client ??= openClient(lookup));
  return {
    post: async (text, { headers, body }, allowPrivate) => {
      const url = new URL(text);
      if (url.protocol !== 'https:' && url.protocol !== 'http:')
        throw new CasefileError('bad_configuration', `${url.protocol} is not a protocol of a destination`);
      if (!allowPrivate && isAddress(url.hostname) && !isPublicAddress(url.hostname))
        throw addressRefused(url.hostname);
      const { fetch, open, guarded } = await opened();
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const dispatcher = allowPrivate ? open : guarded;
        const response = await fetch(url, {
          method: 'POST',
          headers,
          body,
          redirect: 'manual',
          signal,
          dispatcher,
        });
        const retryAfterMs = retryAfter(new Headers([...response.headers]), clock) ?? null;
        return { status: response.status, retryAfterMs, text: await firstBytes(response, maxBytes) };
      } catch (error) {
        throw connectionFailure(error, url.host, signal);
      }
    },
    load: async () => void (await opened()),
    close: async () => {
      const used = await client;
      await Promise.all([used?.open.destroy(), used?.guarded.destroy()]);
    },
  };
}

async function openClient(lookup: LookupFunction | undefined): Promise<PostClient> {
  const { Agent, fetch } = await import('undici');
  return { fetch, open: new Agent(), guarded: new Agent({ connect: { lookup: publicLookup(lookup) } }) };
}

async function firstBytes({ body }: Response, maxBytes: number): Promise<string> {
  if (body === null) return '';
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body as AsyncIterable<Uint8Array>) {
    parts.push(part);
    bytes += part.length;
    // Leaving the loop cancels the rest of the answer.
    if (bytes >= maxBytes) break;
  }
  return Buffer.concat(parts).subarray(0, maxBytes).toString('utf8');
}
