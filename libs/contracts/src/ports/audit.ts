import type { AuditEntry } from '../ops-api-audit.js';

/** A page of entries. */
export interface AuditQuery {
  actor?: string | undefined;
  act?: string | undefined;
  caseId?: string | undefined;
  order: 'newest' | 'oldest';
  /** Number of the last entry of the page before. Default: the first page. */
  after?: number | undefined;
  limit: number;
}

/** Length of the log and hash of its last entry. */
export interface AuditHead {
  count: number;
  /** 64 zeros if the log is empty. */
  hash: string;
}

/** Result of a check of the whole log. */
export interface AuditCheck extends AuditHead {
  /** Number of findings. */
  problems: number;
  /** The first findings, each with the number of its entry. */
  findings: string[];
}

/**
 * The audit log: acts of people, taken from the event log in its order and linked by hashes. It holds ids and
 * digests, never content.
 */
export interface AuditLog {
  /**
   * Appends the acts among the next events.
   * @returns the number of events read; fewer than the limit: there are no more for now.
   */
  append(limit: number): Promise<number>;
  list(query: AuditQuery): Promise<AuditEntry[]>;
  head(): Promise<AuditHead>;
  /**
   * Computes every hash again and compares the digests with the events.
   * @param earlierHead an earlier head; null: none. A log whose end was cut is found by a noted head alone.
   */
  check(earlierHead: AuditHead | null): Promise<AuditCheck>;
}
