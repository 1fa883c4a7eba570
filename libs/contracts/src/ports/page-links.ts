/** A link to create: with it, a person acknowledges a page without a session. */
export interface NewPageLink {
  /** Digest of its token. The token itself is not stored. */
  tokenHash: string;
  /** The delivery that carries the link. */
  deliveryId: string;
  destination: string;
  caseId: string;
  runId: string;
  /** A severity of `SEVERITIES`. */
  severity: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/**
 * `open`: it can be used. `used`: the page of its delivery was acknowledged by a link. `answered`: a person has answered
 * the case. `erased`: the content of the case was erased.
 */
export type PageLinkState = 'open' | 'used' | 'expired' | 'answered' | 'erased';

/** A link as its page shows it. It holds no text of the alert. */
export interface PageLink {
  state: PageLinkState;
  destination: string;
  caseId: string;
  severity: string;
  /** When the page was sent, ISO 8601. */
  sentAt: string;
}

/** Links by which pages are acknowledged. `now`: milliseconds since the epoch. */
export interface PageLinks {
  /** Stores a link, and removes links that expired more than a day ago. */
  add(link: NewPageLink, now: number): Promise<void>;
  /** Returns the link of a token; null: there is none. Changes nothing. */
  find(tokenHash: string, now: number): Promise<PageLink | null>;
  /**
   * Acknowledges the page of a link that is open, in one transaction: the link is used, `pagers` that got a page of the
   * case are notified, and the act is recorded.
   * @returns the link as it was before; null: there is none.
   */
  use(tokenHash: string, pagers: readonly string[], now: number): Promise<PageLink | null>;
}
