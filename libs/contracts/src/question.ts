import type { JsonObject } from './json.js';
import type { ModelLevel, PromptKind } from './ports/language-model.js';
import type { AnswerReading } from './settings.js';

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
