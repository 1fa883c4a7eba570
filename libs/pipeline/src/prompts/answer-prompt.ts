import type { JsonObject, ModelRequest } from '@casefile/contracts';
import type { AnswerPrompt, ReasonInput } from '../strategy.js';
import { correction } from './sections.js';

/** What differs between questions that want one JSON object for an answer. */
export interface AnswerQuestion {
  /** With its version. */
  id: string;
  system: string;
  /** Name and JSON schema of the answer. */
  answer: { name: string; schema: JsonObject };
  maxOutputTokens: number;
  /** The user message; `mark` fences what is from outside. */
  ask(input: ReasonInput, mark: string): string;
  read: AnswerPrompt['read'];
}

/** A question that is asked once, and once more with what was wrong with its answer. */
export function answerPromptOf(question: AnswerQuestion): AnswerPrompt {
  const { id, system, answer: answerSchema, maxOutputTokens, ask, read } = question;
  const requestOf = (content: string): ModelRequest => ({
    promptId: id,
    kind: 'answer',
    messages: [
      { role: 'system', content: system },
      { role: 'user', content },
    ],
    answerSchema,
    maxOutputTokens,
    temperature: 0,
  });
  return {
    id,
    render: (input, mark) => requestOf(ask(input, mark)),
    renderRetry: (input, mark, answer, problem) =>
      requestOf(`${ask(input, mark)}\n\n${correction(mark, answer, problem)}`),
    read,
  };
}
