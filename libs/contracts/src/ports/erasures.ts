import type { Queue } from './queue.js';
import type { CaseErasure, ErasableClass } from '../erasure.js';
import type { ErasedCase } from '../ops-api-erasures.js';

/** A case that is not erased yet, with the work that has to end first. */
export interface BlockedCase {
  caseId: string;
  why: string;
}

/** Content of one class in one place. */
export interface ErasablePlace {
  /** Table and column: `alerts.text`. */
  place: string;
  classes: ErasableClass[];
  rows: number;
}

/** Preview of an erasure. */
export interface ErasurePreview {
  cases: number;
  /** The first 100. */
  blocked: BlockedCase[];
  blockedCases: number;
  places: ErasablePlace[];
  /** Alerts without a case (dead letters) that contain the subject. */
  deadLetters: number;
  /** Prompt versions that contain the subject. They are named, not erased. */
  prompts: string[];
}

/** A request to erase cases. */
export interface ErasureRequest {
  id: string;
  /** SHA-256 over the key of the installation and the subject; null: the request names cases. */
  subject: string | null;
  classes: ErasableClass[];
  by: string;
  reason: string;
  at: string;
  total: number;
  erased: number;
  blocked: number;
  /** null: cases wait or are blocked. */
  endedAt: string | null;
}

export interface NewErasure extends Pick<ErasureRequest, 'id' | 'classes' | 'by' | 'reason'> {
  caseIds: readonly string[];
  /** The value for which cases were found; dead letters that contain it are deleted. */
  subject: string | null;
}

/** Days until content is erased, by class. A class without days is kept. */
export type RetentionDays = Partial<Record<ErasableClass, number>>;

/** A page of cases that retention goes through, oldest first. */
export interface RetentionPage {
  /** By kind of case; `default`: of the other kinds. */
  days: Readonly<Record<string, RetentionDays>>;
  /** Milliseconds since the epoch. */
  now: number;
  /** Result of the page before; null: the first page. */
  after: string | null;
  limit: number;
}

/** Erasure of the content of cases. Verdicts, figures and digests stay. */
export interface Erasures {
  /** Returns the ids of cases in which a value occurs: a phone number, an address, a domain, any text. */
  casesWith(subject: string): Promise<string[]>;
  /** Counts what an erasure would erase, and names the cases with open work. */
  preview(of: Pick<NewErasure, 'caseIds' | 'classes' | 'subject'>): Promise<ErasurePreview>;
  /** Records a request. A repeated call with the same id changes nothing. @returns cases of the request. */
  request(erasure: NewErasure): Promise<void>;
  get(id: string): Promise<(ErasureRequest & { blockedCases: BlockedCase[] }) | null>;
  list(limit: number): Promise<ErasureRequest[]>;
  /** Returns the erasures of a case, oldest first. */
  ofCase(caseId: string): Promise<CaseErasure[]>;
  /**
   * Returns a page of the erasures of all cases, oldest first.
   * @throws InvalidInput for a cursor of another list.
   */
  erasedCases(query: {
    cursor?: string | undefined;
    limit: number;
  }): Promise<{ erased: ErasedCase[]; nextCursor: string | null }>;
  /**
   * Erases the next requested cases, each in a transaction of its own. Cases with open work are tried again
   * after a minute.
   * @param withdraw Removes the jobs of a case from the queue, before its erasure is committed.
   * @returns the number of cases that were erased or found blocked.
   */
  eraseNext(limit: number, withdraw: Queue['remove']): Promise<number>;
  /**
   * Requests the erasure of the next cases whose content is older than its days, counted from their newest change.
   * @returns where the next page begins; null: this was the last one.
   */
  requestDue(of: RetentionPage): Promise<string | null>;
}
