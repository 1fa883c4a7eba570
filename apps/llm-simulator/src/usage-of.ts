import { reasoningOf } from './answer.js';
import type { Answer, Usage } from './answer.js';
import type { Question } from './question.js';

/** Usual estimate for English. */
export const CHARACTERS_A_TOKEN = 4;

/** Returns the usage that the answer states, or an estimate from the lengths of the texts. */
export function usageOf(answer: Answer, question: Question): Usage {
  if (answer.usage !== undefined) return answer.usage;
  const reasoning = tokensOf(reasoningOf(answer).join(''));
  const calls = (answer.toolCalls ?? []).map((call) => call.name + call.arguments).join('');
  return {
    input: inputOf(question),
    output: tokensOf(answer.content) + tokensOf(calls) + reasoning,
    reasoning,
    cached: 0,
  };
}

/** Input includes tools and the calls of earlier turns. */
function inputOf({ turns, tools }: Question): number {
  const offered = tools.length === 0 ? 0 : tokensOf(JSON.stringify(tools));
  return turns.reduce((sum, { text, calls = [] }) => {
    return sum + tokensOf(text) + (calls.length === 0 ? 0 : tokensOf(JSON.stringify(calls)));
  }, offered);
}

export function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_A_TOKEN);
}
