import { z } from 'zod';
import type { Nudge } from '../job.js';
import type { Json } from '../json.js';
import type { DeadLetter } from '../dead-letter.js';

export interface DeadLetterFilter {
  /** Words in the reason or the message, or part of an id. */
  q?: string;
  /** Reason code. */
  reason?: string;
  kind?: DeadLetter['kind'];
  /** Part of the sender's name. */
  source?: string;
  /** Time when the dead letter was written: a date, or a time with its zone. */
  from?: string;
  to?: string;
}

export interface DeadLetterQuery extends DeadLetterFilter {
  cursor?: string;
  limit: number;
}

/** An edit of an alert that could not be accepted. */
export interface AlertEdit {
  /** The alert as received, without secrets. */
  original: Json;
  by: string;
}

export interface DeadLetterPage {
  items: DeadLetter[];
  nextCursor: string | null;
}

/** Number of dead letters per reason. */
export const deadLetterCountSchema = z.object({
  reasonCode: z.string(),
  count: z.int(),
  oldestAt: z.string().describe('When the oldest of them began to wait.'),
});
export type DeadLetterCount = z.infer<typeof deadLetterCountSchema>;

/**
 * Work that needs review, and the operations on it. Every action is logged in its own transaction
 * (`operator.redrove`, `operator.dropped`, one event per dead letter). Repeating an action changes and logs
 * nothing.
 */
export interface DeadLetters {
  /** Stores an alert or feedback that could not be accepted, with the reason. */
  bury(entry: {
    id: string;
    /** Default: `alert`. */
    kind?: 'alert' | 'feedback';
    reasonCode: string;
    message: string;
    payload: unknown;
    /** The webhook format whose signature the alert carried. Default: unsigned. */
    provenBy?: string;
  }): Promise<void>;
  /**
   * Returns a page of dead letters, newest first.
   * @throws InvalidInput for a cursor that this store did not create.
   */
  find(query: DeadLetterQuery): Promise<DeadLetterPage>;
  /**
   * Counts matching dead letters per reason code, highest count first.
   * @throws InvalidInput for an invalid time.
   */
  count(filter?: Omit<DeadLetterFilter, 'reason'>): Promise<DeadLetterCount[]>;
  /** Returns the dead letters with these ids. Unknown ids are ignored. */
  of(ids: string[]): Promise<DeadLetter[]>;
  /**
   * Resumes quarantined and parked runs at their current stage. Their counts of crashes and failures are
   * reset.
   */
  redrive(runIds: string[]): Promise<{ redriven: string[]; nudges: Nudge[] }>;
  /**
   * Removes a stored alert that was accepted later. If the alert was edited, the original is kept and the
   * event names the editor. Returns false if there is no such dead letter.
   */
  settle(
    id: string,
    accepted: { caseId: string; runId: string; alertId: string },
    edit?: AlertEdit,
  ): Promise<boolean>;
  /**
   * Returns the dead letter of an alert that was edited and accepted, with its original payload. null: there
   * is none.
   */
  edited(id: string): Promise<DeadLetter | null>;
  /**
   * Abandons dead letters: removes stored alerts, and stops quarantined or parked runs (`dropped`). Returns
   * the ids that it removed or stopped.
   */
  drop(ids: string[]): Promise<string[]>;
}
