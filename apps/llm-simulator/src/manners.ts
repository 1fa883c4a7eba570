import type { Answer } from './answer.js';
import { parsedArguments, answerReasoning } from './answer.js';

/**
 * Habits of real models: JSON in a Markdown fence, words around the JSON, JSON of another shape than
 * requested, and long reasoning before any answer.
 */
export const MANNERS = ['fenced', 'wordy', 'wrong', 'thoughtful'] as const;
export type Manner = (typeof MANNERS)[number];

/** About 3,000 tokens: more than the output limit of most prompts. */
const THOUGHTS = 'Simulated thought: this might be looked at in another way still. '.repeat(190);

const WAYS: Record<Manner, (answer: Answer) => Answer> = {
  fenced: (answer) => withContent(answer, `\`\`\`json\n${answer.content}\n\`\`\``),
  wordy: (answer) =>
    withContent(
      answer,
      `Certainly! Here is what was asked for:\n\n${answer.content}\n\nTell me if anything is missing.`,
    ),
  wrong: (answer) =>
    withContent(answer, JSON.stringify({ answer: parsedArguments(answer.content), note: 'simulated' })),
  thoughtful: (answer) => ({ ...answer, reasoning: [...answerReasoning(answer), THOUGHTS] }),
};

/** Returns the answer with this manner. Only `thoughtful` changes an answer without content (tool calls). */
export function inManner(answer: Answer, manner: Manner | undefined): Answer {
  return manner === undefined ? answer : WAYS[manner](answer);
}

function withContent(answer: Answer, content: string): Answer {
  return answer.content === '' ? answer : { ...answer, content };
}
