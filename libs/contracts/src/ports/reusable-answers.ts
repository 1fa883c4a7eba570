import type { ReusedAnswer } from '../artifacts/evidence.js';

/** Who answers a question: this run, another one that is at it, or one that has. */
export type AnswerTaken = { kind: 'make' } | { kind: 'wait' } | { kind: 'reuse'; of: ReusedAnswer };

/** Answers that several runs would come to alike, each made by one of them. S5-51. */
export interface ReusableAnswers {
  /**
   * Of the runs that ask under one key the first makes the answer. The others wait while it is at it, and are told whose it is
   * once it is decided by a model and whole; where it comes to nothing, or has been at it for ten minutes, the next makes it.
   * @param forMs How long the answer is taken over, from when it was begun.
   */
  take(asked: { key: string; runId: string; forMs: number }): Promise<AnswerTaken>;
}
