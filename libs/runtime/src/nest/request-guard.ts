import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { CasefileError, type Logger } from '@casefile/contracts';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { answerProblem } from './problem-filter.js';

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];
const READING = ['GET', 'HEAD', 'OPTIONS'];
/** Paths of probes and scrapers, which know a pod only by its IP address. */
const FOR_PROBES = /^\/(?:health(?:\/|$)|metrics$)/;

/**
 * Headers of every answer that keep a browser from running, guessing or framing its content. Pages override
 * them with their own content policy.
 */
const HEADERS: Record<string, string> = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

type Head = Pick<IncomingMessage, 'headers'>;

/**
 * Returns whether the request's Host is a name of this service (loopback, or `CASEFILE_HOSTS`). This prevents
 * DNS rebinding: a page whose name was pointed at this machine sends that name.
 */
export function isKnownHost({ headers }: Head, hosts: readonly string[]): boolean {
  const name = hostName(headers.host);
  return name !== null && (LOOPBACK_NAMES.includes(name) || hosts.includes(name));
}

/**
 * Returns whether the request comes from our own pages, or from no page at all. A foreign page in a user's
 * browser must neither act in the user's name nor listen over a WebSocket.
 */
export function isSameOrigin({ headers }: Head): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return !['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']));
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** Paths that accept bodies of types other than JSON. */
export interface OtherBodies {
  /** Files as `multipart/form-data`. */
  forms?: RegExp | undefined;
  /** JSON that its sender declares as plain text. */
  plainText?(path: string): boolean;
}

/**
 * Rejects, before the body is read, requests that no client of a service sends. The first handler of every
 * service.
 * @param others Default: every path accepts only JSON.
 */
export function guardRequests(
  hosts: readonly string[],
  log: Logger,
  others: OtherBodies = {},
): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    const refusal = requestRefusal(request, hosts, others);
    if (refusal === null) return next();
    log.debug({ reason: refusal.reasonCode, method: request.method }, refusal.message);
    answerProblem(response, refusal, log);
  };
}

function requestRefusal(
  request: Request,
  hosts: readonly string[],
  { forms, plainText }: OtherBodies,
): CasefileError | null {
  const { method, path, headers } = request;
  const probed = FOR_PROBES.test(path) && isIP(bare(hostName(headers.host) ?? '')) !== 0;
  if (!probed && !isKnownHost(request, hosts))
    return new CasefileError(
      'unknown_host',
      'This service does not accept this host name. CASEFILE_HOSTS lists the accepted names.',
    );
  if (READING.includes(method)) return null;
  if (!isSameOrigin(request))
    return new CasefileError('foreign_page', 'Requests from pages of other sites are not accepted.');
  if (forms?.test(path) === true && isForm(headers)) return null;
  const isPlain = plainText?.(path) === true && isPlainText(headers);
  if (hasBody(headers) && !isJson(headers) && !isPlain)
    return new CasefileError('media_type', 'Expected a body of the type application/json.');
  if (hasBody(headers) && !isUtf8(headers))
    return new CasefileError(
      'media_type',
      'Expected a body in UTF-8: omit the charset, or send charset=utf-8.',
    );
  return null;
}

// In another character set, the bytes counted before parsing would differ from the parsed characters.
function isUtf8({ 'content-type': type = '' }: IncomingMessage['headers']): boolean {
  const charsets = [...type.matchAll(/;\s*charset\s*=\s*"?([^";\s]*)/gi)].map(([, name = '']) =>
    name.toLowerCase(),
  );
  return charsets.every((name) => name === 'utf-8' || name === 'utf8');
}

function hasBody({ 'content-length': length, 'transfer-encoding': encoding }: IncomingMessage['headers']) {
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/**
 * Returns whether the type is `application/json` or ends in `+json`. The charset is checked separately. A
 * missing type is accepted only outside a browser.
 */
export function isJson(headers: IncomingMessage['headers']): boolean {
  const type = headers['content-type'];
  if (type === undefined) return !isOfBrowser(headers);
  const essence = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return essence === 'application/json' || /^application\/[a-z0-9.-]+\+json$/.test(essence);
}

/**
 * Returns whether a non-browser declares the body as plain text. Browser pages may send such a body to any
 * site.
 */
export function isPlainText(headers: IncomingMessage['headers']): boolean {
  return !isOfBrowser(headers) && /^text\/plain\s*(?:;|$)/i.test(headers['content-type'] ?? '');
}

function isOfBrowser(headers: IncomingMessage['headers']): boolean {
  return headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
}

function isForm(headers: IncomingMessage['headers']): boolean {
  return /^multipart\/form-data\s*;/i.test(headers['content-type'] ?? '');
}

function hostName(host: string | undefined): string | null {
  const [, name] = /^(\[[0-9a-f:.]+\]|[^:[\]/@\s]+)(?::\d{1,5})?$/i.exec(host ?? '') ?? [];
  return name?.toLowerCase() ?? null;
}

function bare(name: string): string {
  return name.replace(/^\[|\]$/g, '');
}
