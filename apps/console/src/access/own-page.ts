import type { IncomingMessage } from 'node:http';
import { CasefileError } from '@casefile/contracts';
import { isLoopbackHost } from './cookies.js';

const READING = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Checks that a request with a cookie comes from a page of this console. A browser adds the cookie to
 * requests of other pages too, so a cookie alone proves nothing.
 * @param publicUrl Origin at which people open the console; null: none is configured.
 * @throws CasefileError `foreign_page`.
 */
export function requireOwnPage(
  request: Pick<IncomingMessage, 'headers' | 'method'>,
  publicUrl: string | null,
): void {
  if (isFromOwnPage(request, publicUrl)) return;
  throw new CasefileError(
    'foreign_page',
    'A request with a session cookie is accepted from pages of this console alone.',
  );
}

/** Returns whether a browser sent the request. Programs send no headers about pages. */
export function isBrowser({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

/** Returns whether a page of this console may have sent the request. */
export function isFromOwnPage(
  request: Pick<IncomingMessage, 'headers' | 'method'>,
  publicUrl: string | null,
): boolean {
  const { headers, method = 'GET' } = request;
  const { origin, upgrade } = headers;
  const [site, mode, destination] = ['site', 'mode', 'dest'].map((name) => headers[`sec-fetch-${name}`]);
  if (origin !== undefined && !isOwnOrigin(request, origin, publicUrl)) return false;
  const isReading = READING.includes(method);
  if (site === 'same-origin') return true;
  // Browsers send an Origin with each WebSocket, and with each request that may change something.
  if (site === undefined) return origin !== undefined || (isReading && upgrade === undefined);
  if (!isReading) return false;
  // `none`: typed by the user. Links of other sites may open pages, and nothing else.
  return site === 'none' || (mode === 'navigate' && destination === 'document');
}

function isOwnOrigin(
  request: Pick<IncomingMessage, 'headers'>,
  origin: string,
  publicUrl: string | null,
): boolean {
  if (publicUrl !== null && origin === publicUrl) return true;
  if (!URL.canParse(origin)) return false;
  const { host, protocol } = new URL(origin);
  if (host !== request.headers.host?.toLowerCase()) return false;
  // Over the network, the cookie exists over https alone.
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(request));
}
