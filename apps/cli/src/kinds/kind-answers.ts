import type { JsonObject, z } from '@casefile/contracts';
import type { Question } from '@casefile/llm-simulator/question';
import type { Played } from '../demonstration/played.js';

/** Hand-written answers of a kind of case whose questions are not about one message alone. */
export interface KindAnswers {
  /** Its parts of `samples/demonstration.yaml`, beside `messages`. */
  shape: z.ZodRawShape;
  /**
   * @param file that has been held to the shape.
   * @returns answers a question as a model would; null: it is none of this kind.
   */
  player(file: JsonObject): (question: Question) => Played | null;
}
