import type { CreatedKey, Logger, Sessions, SignedInPerson } from '@casefile/contracts';
import { actingAs, callerFrom, type CheckedCallers } from '@casefile/runtime';
import type { Request, Response } from 'express';
import { cookieHeader, SESSION_COOKIE, sessionToken } from './cookies.js';
import { isBrowser, isFromOwnPage } from './own-page.js';
import { newToken, tokenHash } from './session-tokens.js';

export interface SessionPorts {
  sessions: Pick<Sessions, 'open'>;
  checked: Pick<CheckedCallers, 'forget'>;
}

/**
 * Opens a session of the person, which ends the session of the request, and adds its cookie to the response.
 * @throws if the record does not answer.
 */
export async function openSession(
  { sessions, checked }: SessionPorts,
  person: SignedInPerson,
  request: Request,
  response: Response,
): Promise<void> {
  // Always a new token: one that was planted before the sign-in proves nothing afterwards.
  const token = newToken();
  const before = sessionToken(request);
  const userAgent = request.headers['user-agent'] ?? '';
  const replaces = before === null ? null : tokenHash(before);
  try {
    await asPerson(person, () =>
      sessions.open({ ...person, tokenHash: tokenHash(token), userAgent }, replaces),
    );
  } finally {
    if (replaces !== null) checked.forget(replaces);
  }
  response.append('Set-Cookie', cookieHeader(request, SESSION_COOKIE, token));
}

/** States in the events of the work who acts. Both ways to sign in prove the person. */
export function asPerson<T>({ name }: Pick<SignedInPerson, 'name'>, work: () => T): T {
  return actingAs({ name, proof: 'session' }, work);
}

/** Signs in the creator of a key, if the request that created the key needed no proof. */
export type SignInCreator = (key: CreatedKey, request: Request, response: Response) => Promise<void>;

/**
 * Returns a function that signs in the creator of the first key. From this key on, every request needs a proof, and
 * the page that shows the key has none. Programs get no session, and neither does the key of a program.
 */
export function creatorSignIn(ports: SessionPorts, log: Pick<Logger, 'warn'>): SignInCreator {
  return async ({ id, name, role }, request, response) => {
    const isOpen = callerFrom(request).proof === 'none';
    if (!isOpen || role === null || !isBrowser(request) || !isFromOwnPage(request, null)) return;
    const person: SignedInPerson = { source: 'key', subject: id, name, role, groups: [] };
    // The key exists and is shown once, so the answer must not fail.
    await openSession(ports, person, request, response).catch((error: unknown) =>
      log.warn({ error }, 'the creator of the first key could not be signed in'),
    );
  };
}
