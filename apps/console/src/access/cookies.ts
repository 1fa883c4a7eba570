import type { IncomingMessage } from 'node:http';
import { CasefileError } from '@casefile/contracts';

/** Longest header with cookies, in characters. Cookies of other programs on this host are in it too. */
const LONGEST_HEADER = 8_192;
/** A cookie's token: 32 random bytes in base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

type Head = Pick<IncomingMessage, 'headers'>;

/** A cookie of the console. Browsers accept a name with `__Host-` from this host over https alone. */
export interface CookieKind {
  /** Name over https. */
  secure: `__Host-${string}`;
  /** Name over http, which loopback alone may use. */
  plain: string;
  /** Time that a browser keeps it, in seconds. */
  maxAge: number;
}

/** Token of the session. The session ends on the server, so the time here is an upper limit. */
export const SESSION_COOKIE: CookieKind = { secure: '__Host-cf', plain: 'cf', maxAge: 86_400 };
/** State of a sign-in that is under way at the provider. */
export const FLOW_COOKIE: CookieKind = { secure: '__Host-cf-flow', plain: 'cf-flow', maxAge: 600 };

/** Returns whether the request addresses this machine by a loopback name. */
export function isLoopbackHost({ headers }: Head): boolean {
  return LOOPBACK_HOST.test(headers.host ?? '');
}

/**
 * Returns the value of a cookie; null: there is none. Two cookies of one name count as none, because one of
 * them is not ours. The plain name counts on loopback alone.
 * @throws CasefileError `cookies_too_large`.
 */
export function readCookie(request: Head, kind: CookieKind): string | null {
  const header = request.headers.cookie ?? '';
  if (header.length > LONGEST_HEADER)
    throw new CasefileError(
      'cookies_too_large',
      `The cookies are larger than ${LONGEST_HEADER} bytes. Delete the cookies of this host.`,
    );
  const names: string[] = isLoopbackHost(request) ? [kind.secure, kind.plain] : [kind.secure];
  const pairs = header.split(';').map((pair) => pair.trim());
  for (const name of names) {
    const values = pairs.filter((pair) => pair.startsWith(`${name}=`));
    if (values.length > 1) return null;
    if (values[0] !== undefined) return values[0].slice(name.length + 1);
  }
  return null;
}

/** Returns the token of the session's cookie; null: there is none, or it has another form. */
export function sessionToken(request: Head): string | null {
  const value = readCookie(request, SESSION_COOKIE);
  return value !== null && TOKEN.test(value) ? value : null;
}

/**
 * Returns the header that sets a cookie. `Lax`: a link from another site opens the console signed in, and a
 * form or script of another site sends no cookie.
 * @param value '': deletes the cookie.
 */
export function cookieHeader(request: Head, { secure, plain, maxAge }: CookieKind, value: string): string {
  const isPlain = isLoopbackHost(request);
  const age = value === '' ? 0 : maxAge;
  const name = isPlain ? plain : secure;
  return `${name}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${isPlain ? '' : '; Secure'}`;
}
