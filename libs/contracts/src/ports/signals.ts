import type { Nudge } from '../job.js';
import type { GivenSignal } from '../signal.js';

/** What people tell runs that wait for it. S5-25. */
export interface Signals {
  /**
   * Answers what a run of the case asks under this name: written down in the transaction that makes its unit due. The same
   * answer again does nothing. Event `signal.given`.
   * @throws CasefileError `not_found` (the case asks nothing of this name), `conflict` (answered otherwise, or it went on);
   * InvalidInput naming `option`.
   */
  give(given: {
    caseId: string;
    name: string;
    option: string;
    by: string;
  }): Promise<GivenSignal & { nudges: Nudge[] }>;
}
