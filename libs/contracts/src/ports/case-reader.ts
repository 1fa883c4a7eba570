import type { CaseDocument, CaseSummary, DeadLetter, EventRecord } from '../record.js';

export interface CaseQuery {
  status?: string;
  playbook?: string;
  /** `outcome.action` of the newest run's verdict. */
  action?: string;
  lane?: string;
  /** Words in the alert's text or the report. */
  q?: string;
  from?: string;
  to?: string;
  cursor?: string;
  limit: number;
}

/** The record, as people and the ops API read it. */
export interface CaseReader {
  /** Newest first. @throws InvalidInput for a cursor it did not make. */
  listCases(query: CaseQuery): Promise<{ items: CaseSummary[]; nextCursor: string | null }>;
  getCase(caseId: string): Promise<CaseDocument | null>;
  /** Events after `after` (null: from the beginning), oldest first; never one that a slower transaction may still precede. */
  eventsAfter(after: string | null, limit: number): Promise<EventRecord[]>;
  /** The id after which only events yet to come are. */
  lastEventId(): Promise<string | null>;
  listDeadLetters(limit: number): Promise<DeadLetter[]>;
  /** Are there any cases at all? */
  isEmpty(): Promise<boolean>;
}
