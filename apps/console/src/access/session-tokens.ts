import { createHash, randomBytes } from 'node:crypto';

/** Returns a new token of a session: 32 random bytes. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the form in which a token is stored, from which it cannot be computed. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
