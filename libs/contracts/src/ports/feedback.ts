import type { Feedback, FeedbackList } from '../ops-api-feedback.js';

/** The most feedback that one case takes: in all, and within a minute. */
export const MOST_FEEDBACK = { perCase: 100, perMinute: 10 } as const;

/** What people say of verdicts. S4-59. */
export interface FeedbackBook {
  /**
   * Writes it down once under its id; told in the event log as `feedback.given`.
   * @throws CasefileError `too_many` if the case has as much as `MOST_FEEDBACK` allows.
   */
  give(feedback: Feedback): Promise<void>;
  /**
   * Returns a page of what was said of a case, the newest first; null if there is no such case.
   * @throws InvalidInput for a cursor it did not make.
   */
  find(query: { caseId: string; cursor?: string; limit: number }): Promise<FeedbackList | null>;
}
