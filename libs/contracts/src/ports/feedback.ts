import type { Feedback, FeedbackList } from '../ops-api-feedback.js';

/** Limits per case: labels that stand, and labels given within a minute. */
export const MOST_FEEDBACK = { perCase: 100, perMinute: 10 } as const;

/** Labels: what people say of verdicts. A person has one label per run. */
export interface FeedbackBook {
  /**
   * Records a label once under its id, in place of an earlier label of the same person for the same run. The event
   * `feedback.given` keeps the label and names the one it replaces.
   * @throws CasefileError `too_many` if the case has as much as `MOST_FEEDBACK` allows.
   */
  give(feedback: Feedback): Promise<void>;
  /** Removes a label of a case, with the event `feedback.withdrawn`, and returns it; null if the case has no such label. */
  withdraw(caseId: string, id: string): Promise<Feedback | null>;
  /**
   * Returns a page of the labels of a case, the newest first; null if there is no such case.
   * @throws InvalidInput for a cursor it did not make.
   */
  find(query: { caseId: string; cursor?: string; limit: number }): Promise<FeedbackList | null>;
}
