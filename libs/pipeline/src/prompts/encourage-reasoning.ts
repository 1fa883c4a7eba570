import type { ModelMessage, ModelRequest } from '@casefile/contracts';
import type { Prompt, PromptText, PromptTexts } from './prompt.js';

type Thoughts = { readonly thoughts: readonly [] };

/** Prompt by which a playbook lets a model think aloud before it chooses tools. */
export type ThinkAloud = Prompt<Thoughts>;
/** The text of this prompt, as loaded. */
export type ThoughtsText = PromptText<Thoughts>;

/** Returns the loaded text of a playbook's think-aloud prompt; undefined: none. */
export function thoughtsOf(
  { thinkAloud }: { thinkAloud?: ThinkAloud },
  prompts: PromptTexts,
): ThoughtsText | undefined {
  return thinkAloud === undefined ? undefined : prompts.of(thinkAloud);
}

/**
 * Adds the encouragement to think aloud to a prompt of the kind `tool-selection`. Any other prompt is
 * returned as the same object. The text asks for thoughts in addition to the calls, so that it contradicts no
 * prompt that wants calls.
 * @param text Its id is appended to the prompt's id, because the combination is another prompt.
 */
export function encourageReasoning(request: ModelRequest, text: ThoughtsText): ModelRequest {
  if (request.kind !== 'tool-selection') return request;
  return {
    ...request,
    promptId: `${request.promptId}+${text.id}`,
    messages: withEncouragement(request.messages, text.render({ thoughts: {} })),
  };
}

// Added at the end of the system message, so that the turns and the provider's cache of earlier text stay
// valid.
function withEncouragement(messages: ModelMessage[], text: string): ModelMessage[] {
  const [first, ...rest] = messages;
  if (first?.role !== 'system') return [{ role: 'system', content: text }, ...messages];
  return [{ ...first, content: `${first.content}\n\n${text}` }, ...rest];
}
