import type { ShownSession, SignedInPerson } from '../access/sessions.js';

/** A new session of a person. */
export interface NewSession extends SignedInPerson {
  /** SHA-256 of the token in the person's cookie, hexadecimal. */
  tokenHash: string;
  userAgent: string;
}

/** The person of a valid session. */
export interface SessionPerson extends SignedInPerson {
  id: string;
}

/**
 * Sign-in sessions. A session ends when its row is deleted, after 8 hours without a request, and after 24
 * hours. Every method uses the clock of the store.
 */
export interface Sessions {
  /**
   * Stores a session, and deletes expired ones and the oldest of this person beyond 20.
   * @param replaces Hash of the token of the session that ends by this sign-in; null: none.
   */
  open(session: NewSession, replaces: string | null): Promise<ShownSession>;
  /**
   * Notes that the sign-in with this state is finished, for 10 minutes.
   * @param stateHash SHA-256 of the state, hexadecimal.
   * @returns false: it was finished before.
   */
  finish(stateHash: string): Promise<boolean>;
  /** Returns the person of a valid session, and notes the request at most once a minute; null: none. */
  find(tokenHash: string): Promise<SessionPerson | null>;
  /** Returns the valid sessions, newest first, at most 1,000. */
  list(): Promise<ShownSession[]>;
  /** Deletes the session of a token, because its person signed out. @returns false: there was none. */
  end(tokenHash: string): Promise<boolean>;
  /** Deletes a session by its id. @returns null: there was none. */
  revoke(id: string, by: string, reason: string): Promise<ShownSession | null>;
}
