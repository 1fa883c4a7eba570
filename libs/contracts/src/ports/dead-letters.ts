import { z } from 'zod';
import type { Nudge } from '../job.js';
import type { DeadLetter } from '../record.js';

export interface DeadLetterQuery {
  /** Words in reason or message, or a part of an id. */
  q?: string;
  /** Reason code. */
  reason?: string;
  cursor?: string;
  limit: number;
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
  /** How many there are for each reason code, most first; with `q`, of those a search for it finds. */
  count(q?: string): Promise<DeadLetterCount[]>;
  /** Those of these ids that are there. */
  of(ids: string[]): Promise<DeadLetter[]>;
  /** Quarantined and parked runs go on where they were; counts of crashes and failures start again. */
  redrive(runIds: string[]): Promise<{ redriven: string[]; nudges: Nudge[] }>;
  /** This buried alert was accepted after all: it is no dead letter any more. false: it was none. */
  settle(id: string, accepted: { caseId: string; runId: string }): Promise<boolean>;
  /** Gives up: a buried alert is taken away, a quarantined or parked run is stopped (`dropped`). Returns the ids that went. */
  drop(ids: string[]): Promise<string[]>;
}
