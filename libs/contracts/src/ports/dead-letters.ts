import { z } from 'zod';
import type { Nudge } from '../job.js';
import type { JsonObject } from '../json.js';
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
  /** Newest first. @throws InvalidInput for a cursor it did not make. */
  findDeadLetters(query: DeadLetterQuery): Promise<DeadLetterPage>;
  /** How many there are for each reason code, most first; with `q`, of those a search for it finds. */
  countDeadLetters(q?: string): Promise<DeadLetterCount[]>;
  /** Those of these ids that are there. */
  deadLettersOf(ids: string[]): Promise<DeadLetter[]>;
  /** Quarantined and parked runs go on where they were; counts of crashes and failures start again. */
  redriveDeadRuns(runIds: string[]): Promise<{ redriven: string[]; nudges: Nudge[] }>;
  /** This buried alert was accepted after all: it is no dead letter any more. false: it was none. */
  settleBuriedAlert(id: string, accepted: { caseId: string; runId: string }): Promise<boolean>;
  /** Gives up: a buried alert is taken away, a quarantined or parked run is stopped (`dropped`). Returns the ids that went. */
  dropDeadLetters(ids: string[]): Promise<string[]>;
}

/** Where it is written what people do outside the record: on the queue board, for example. */
export interface OperatorLog {
  /** Tells it in the event log, as `operator.<what>`. */
  noteOperatorAction(what: string, data: JsonObject): Promise<void>;
}
