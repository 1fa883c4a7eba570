import type { Nudge } from '../job.js';
import type { GivenSignal } from '../signal.js';

/** A question for whose answer a run waits. */
export interface OpenQuestion {
  caseId: string;
  playbook: string;
  /** Name of the signal that answers it. */
  name: string;
  question: string;
  askedAt: string;
}

/** Answers of people to runs that wait for them. */
export interface Signals {
  /**
   * Answers the question with this name that a run of the case asked. The answer is saved in the transaction
   * that makes the unit due. Repeating the same answer changes nothing. Event: `signal.given`.
   * @throws CasefileError `not_found` if the case has no question of this name; `conflict` if it was answered
   * differently or the run has continued; InvalidInput that names `option`.
   */
  give(answer: {
    caseId: string;
    name: string;
    option: string;
    by: string;
  }): Promise<GivenSignal & { nudges: Nudge[] }>;
  /** Returns questions of live runs that still wait for an answer, the oldest first. */
  open(limit: number): Promise<OpenQuestion[]>;
}
