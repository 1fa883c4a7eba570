import { answerReasoning } from './answer.js';
import type { Answer, Usage } from './answer.js';
import type { Question } from '@casefile/kit/demonstration/question';

/** Usual estimate for English. */
export const CHARACTERS_A_TOKEN = 4;

/** Returns the usage that the answer states, or an estimate from the lengths of the texts. */
export function answerUsage(answer: Answer, question: Question): Usage {
  if (answer.usage !== undefined) return answer.usage;
  const reasoning = textTokens(answerReasoning(answer).join(''));
  const calls = (answer.toolCalls ?? []).map((call) => call.name + call.arguments).join('');
  return {
    input: inputOf(question),
    output: textTokens(answer.content) + textTokens(calls) + reasoning,
    reasoning,
    cached: 0,
  };
}

/** Input includes tools and the calls of earlier turns. */
function inputOf({ turns, tools }: Question): number {
  const offered = tools.length === 0 ? 0 : textTokens(JSON.stringify(tools));
  return turns.reduce((sum, { text, calls = [] }) => {
    return sum + textTokens(text) + (calls.length === 0 ? 0 : textTokens(JSON.stringify(calls)));
  }, offered);
}

export function textTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_A_TOKEN);
}
