import type { Nudge } from '../job.js';
import type { GivenSignal } from '../signal.js';

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
}
