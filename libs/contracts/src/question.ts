import type { JsonObject } from './json.js';
import type { ModelLevel, PromptKind } from './ports/language-model.js';

/** Result of reading an answer. `problem` is a sentence for the model. */
export type ReadAnswer<T> = { value: T } | { problem: string };

/** An unusable answer with the problem. */
export interface WrongAnswer {
  /** The model's answer. Empty if there was none. */
  content: string;
  problem: string;
}

/**
 * A typed question to a model: its prompt, the schema of its answer, and the message about an invalid answer.
 */
export interface Question<T> {
  /** Prompt id on the record: `<kind>/answer@2`, with a hash if the text is not the shipped one. */
  id: string;
  kind: PromptKind;
  /** The model level for the question. */
  level: ModelLevel;
  system: string;
  /**
   * Renders the user message. `mark` fences all text from outside. The result is the same for the same mark.
   * @param wrong the previous answer, for a message about its problem. Default: the first try.
   */
  render(mark: string, wrong?: WrongAnswer): string;
  /** Name and JSON schema of the answer. */
  answer: { name: string; schema: JsonObject };
  maxOutputTokens: number;
  /** Reads the answer of the model, or says what is wrong with it. */
  read(content: string): ReadAnswer<T>;
}
