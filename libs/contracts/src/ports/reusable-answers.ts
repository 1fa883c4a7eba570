import type { ReusedAnswer } from '../artifacts/evidence.js';

/** Result of `take`: this run makes the answer, waits for another run that is making it, or reuses one. */
export type AnswerTaken = { kind: 'make' } | { kind: 'wait' } | { kind: 'reuse'; of: ReusedAnswer };

/** Answers that several runs share. One run makes the answer, the others reuse it. */
export interface ReusableAnswers {
  /**
   * The first run that asks under a key makes the answer. Other runs wait for it. They reuse the answer if a
   * model decided it and it is complete. If the first run produces no such answer, or takes longer than ten
   * minutes, the next run makes one.
   * @param forMs Time for which the answer is reused, from when its run began.
   */
  take(request: { key: string; runId: string; forMs: number }): Promise<AnswerTaken>;
}
