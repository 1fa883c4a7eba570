import type { JsonObject, z } from '@casefile/contracts';
import type { Question } from './question.js';
import type { PlayedAnswer } from './played.js';

/** Hand-written answers of a kind of case whose questions are not about one message alone. */
export interface KindAnswers {
  /** Schemas of the kind's own fields of `samples/demonstration.yaml`, next to `messages`. */
  shape: z.ZodRawShape;
  /**
   * @param file Content of the file, checked against the shape.
   * @returns a function that answers a question as a model would, or returns null if the question is not of
   * this kind.
   */
  player(file: JsonObject): (question: Question) => PlayedAnswer | null;
}
