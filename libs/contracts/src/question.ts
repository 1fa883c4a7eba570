import type { JsonObject } from './json.js';
import type { ModelLevel, PromptKind } from './ports/language-model.js';

/** What a reading of an answer came to; a problem is a sentence that the model is told. */
export type ReadAnswer<T> = { value: T } | { problem: string };

/** One typed request to a model: how it is asked, the shape of its answer, and how a wrong answer is told. */
export interface Question<T> {
  /** Of its prompt, with the version: `<kind>/answer@2`. */
  id: string;
  kind: PromptKind;
  /** Which of the run's models it goes to. */
  level: ModelLevel;
  system: string;
  /** The user message; `mark` fences everything from outside. The same bytes for the same mark. */
  render(mark: string): string;
  /** Name and JSON schema of the answer. */
  answer: { name: string; schema: JsonObject };
  maxOutputTokens: number;
  read(content: string): ReadAnswer<T>;
}
