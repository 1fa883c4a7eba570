import { reasoningOf } from './answer.js';
import type { Answer } from './answer.js';
import type { Question } from './question.js';
import { CHARACTERS_A_TOKEN, tokensOf } from './usage-of.js';

/**
 * An answer as its request leaves room for it. Thoughts come first and count within the limit of the output, as at Google,
 * Anthropic and OpenAI: what is left is for the words and the calls, and the end is cut off. A model that was told
 * not to think does not. S2-06.
 */
export function withinLimit(answer: Answer, { limit, thinks }: Question): Answer {
  const { reasoning: _, redacted: _sealed, ...unthought } = answer;
  const said = thinks ? answer : unthought;
  if (limit === undefined || said.finishReason !== undefined) return said;
  const thoughts = reasoningOf(said);
  const thought = said.usage?.reasoning ?? tokensOf(thoughts.join(''));
  if (thought >= limit)
    return cut(said, { content: '', reasoning: cutParts(thoughts, limit), toolCalls: undefined }, limit);
  const content = said.content.slice(0, (limit - thought) * CHARACTERS_A_TOKEN);
  if (content.length < said.content.length) return cut(said, { content, toolCalls: undefined }, limit);
  let left = limit - thought - tokensOf(content);
  const toolCalls = said.toolCalls?.filter(
    ({ name, arguments: args }) => (left -= tokensOf(name + args)) >= 0,
  );
  return toolCalls?.length === said.toolCalls?.length ? said : cut(said, { toolCalls }, limit);
}

/** The usage that a script names stays, but no more than the limit was used. */
function cut(answer: Answer, kept: Partial<Answer>, limit: number): Answer {
  const { usage } = answer;
  const used = usage && {
    ...usage,
    output: Math.min(usage.output, limit),
    reasoning: Math.min(usage.reasoning, limit),
  };
  return { ...answer, ...kept, usage: used, finishReason: 'length' };
}

function cutParts(parts: string[], tokens: number): string[] {
  let left = tokens * CHARACTERS_A_TOKEN;
  return parts
    .map((part) => {
      const kept = part.slice(0, left);
      left -= kept.length;
      return kept;
    })
    .filter((part) => part !== '');
}
