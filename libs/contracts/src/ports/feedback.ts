import type { CaseReference, Feedback, FeedbackList } from '../ops-api-feedback.js';

/** Limits per case: labels in force, and labels given within a minute. */
export const MOST_FEEDBACK = { perCase: 100, perMinute: 10 } as const;

/** Cases whose answers changed. */
export interface LabelChanges {
  /** Number of events that were read; fewer than the limit: there are no more for now. */
  read: number;
  /** Position after the last event; null: there was no event. */
  place: { xid: string; eventId: string } | null;
  caseIds: string[];
}

/** Labels: people's feedback on verdicts. A person has one label per run. */
export interface FeedbackBook {
  /**
   * Records a label once under its id. It replaces an earlier label of the same person for the same run. The
   * event `feedback.given` contains the label and names the replaced one.
   * @throws CasefileError `too_many` if the case has reached `MOST_FEEDBACK`.
   */
  give(feedback: Feedback): Promise<void>;
  /**
   * Returns the cases of the next events that changed an answer. Returns the same ones until `readChanges` is
   * called.
   */
  changes(limit: number): Promise<LabelChanges>;
  /** Stores that the changes up to this position were processed. */
  readChanges(place: NonNullable<LabelChanges['place']>): Promise<void>;
  /** Returns the id of the case that another system names; null: there is none. */
  caseOf(reference: CaseReference): Promise<string | null>;
  /**
   * Removes a label of a case, with the event `feedback.withdrawn`, and returns it. null: the case has no
   * such label.
   */
  withdraw(caseId: string, id: string): Promise<Feedback | null>;
  /**
   * Returns a page of the labels of a case, newest first. null: there is no such case.
   * @throws InvalidInput for a cursor that this store did not create.
   */
  find(query: { caseId: string; cursor?: string; limit: number }): Promise<FeedbackList | null>;
}
