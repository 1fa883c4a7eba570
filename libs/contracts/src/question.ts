import type { JsonObject } from './json.js';
import type { ModelLevel, PromptKind } from './ports/language-model.js';

/**
 * How answers of models are read. A run is frozen with the version of its day, and a replay reads a recorded answer as it
 * was read then. 1: the first object of an answer, each part in its own type. 2: the last object that fits, with figures,
 * choices and lists that came as texts, or an answer in the field of the reasoning. 3: as 2, and a call that should end a
 * loop of turns, does not fit and is repeated word for word ends the loop.
 */
export type AnswerReading = 1 | 2 | 3;
export const ANSWER_READING = 3 satisfies AnswerReading;

/** The reading that a run was frozen with; runs of the first releases name none. */
export function readingOf({ answerReading }: { answerReading?: AnswerReading | undefined }): AnswerReading {
  return answerReading ?? 1;
}

/** What a reading of an answer came to; a problem is a sentence that the model is told. */
export type ReadAnswer<T> = { value: T } | { problem: string };

/** An answer that could not be used, and why. */
export interface WrongAnswer {
  /** As the model gave it; empty when there was none. */
  content: string;
  problem: string;
}

/** One typed request to a model: how it is asked, the shape of its answer, and how a wrong answer is told. */
export interface Question<T> {
  /** Of its prompt as it goes on the record: `<kind>/answer@2`, and a hash where the text is not the shipped one. */
  id: string;
  kind: PromptKind;
  /** Which of the run's models it goes to. */
  level: ModelLevel;
  system: string;
  /**
   * The user message; `mark` fences everything from outside. The same bytes for the same mark.
   * @param wrong The answer before, which the message tells about; absent: it is asked for the first time.
   */
  render(mark: string, wrong?: WrongAnswer): string;
  /** Name and JSON schema of the answer. */
  answer: { name: string; schema: JsonObject };
  maxOutputTokens: number;
  /** @param reading Default: the newest. */
  read(content: string, reading?: AnswerReading): ReadAnswer<T>;
}
