import { z } from 'zod';
import type { Nudge } from '../job.js';
import type { Json } from '../json.js';
import type { DeadLetter } from '../dead-letter.js';

export interface DeadLetterFilter {
  /** Words in reason or message, or a part of an id. */
  q?: string;
  /** Reason code. */
  reason?: string;
  kind?: DeadLetter['kind'];
  /** A part of the sender's name. */
  source?: string;
  /** When the dead letter was written: a date, or a time with its zone. */
  from?: string;
  to?: string;
}

export interface DeadLetterQuery extends DeadLetterFilter {
  cursor?: string;
  limit: number;
}

/** An edit of an alert that could not be accepted. */
export interface AlertEdit {
  /** The alert as it came, without secrets. */
  original: Json;
  by: string;
}

export interface DeadLetterPage {
  items: DeadLetter[];
  nextCursor: string | null;
}

/** How many dead letters have one reason. */
export const deadLetterCountSchema = z.object({ reasonCode: z.string(), count: z.int() });
export type DeadLetterCount = z.infer<typeof deadLetterCountSchema>;

/**
 * Work that waits for a person, and what a person does about it. Every action is in the event log
 * (`operator.redrove`, `operator.dropped`, one event a dead letter), written in the transaction that did it; asked
 * for again, it does nothing and says nothing.
 */
export interface DeadLetters {
  /** An alert that could not be accepted, kept with its reason. */
  bury(entry: {
    id: string;
    reasonCode: string;
    message: string;
    payload: unknown;
    /** The webhook format whose signature it came with; left out: it came unsigned. */
    provenBy?: string;
  }): Promise<void>;
  /** Newest first. @throws InvalidInput for a cursor it did not make. */
  find(query: DeadLetterQuery): Promise<DeadLetterPage>;
  /** Counts the dead letters that match by reason code, most first. @throws InvalidInput for a time that is none. */
  count(filter?: Omit<DeadLetterFilter, 'reason'>): Promise<DeadLetterCount[]>;
  /** Those of these ids that are there. */
  of(ids: string[]): Promise<DeadLetter[]>;
  /** Quarantined and parked runs go on where they were; counts of crashes and failures start again. */
  redrive(runIds: string[]): Promise<{ redriven: string[]; nudges: Nudge[] }>;
  /**
   * Removes a buried alert that was accepted after all. The original of an edited alert is kept, and the event names the
   * person who edited it. Returns false if there is no such dead letter.
   */
  settle(
    id: string,
    accepted: { caseId: string; runId: string; alertId: string },
    edit?: AlertEdit,
  ): Promise<boolean>;
  /** Returns the dead letter of an alert that was edited and accepted, with its original payload; null if there is none. */
  edited(id: string): Promise<DeadLetter | null>;
  /** Gives up: a buried alert is taken away, a quarantined or parked run is stopped (`dropped`). Returns the ids that went. */
  drop(ids: string[]): Promise<string[]>;
}
