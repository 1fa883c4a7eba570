import type { Feedback } from '../ops-api-feedback.js';

/** What people say of verdicts. S4-59. */
export interface FeedbackBook {
  /** Writes it down once under its id; told in the event log as `feedback.given`. */
  give(feedback: Feedback): Promise<void>;
  /** All that was said of a case, the newest first. */
  of(caseId: string): Promise<Feedback[]>;
}
