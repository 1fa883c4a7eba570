import type { ModelMessage, ModelRequest } from '@casefile/contracts';
import type { Prompt, PromptText, PromptTexts } from './prompt.js';

type Thoughts = { readonly thoughts: readonly [] };

/** How a kind of case has a model think aloud before it chooses tools: a prompt of its own. S2-08. */
export type ThinkAloud = Prompt<Thoughts>;
/** Its text, as loaded. */
export type ThoughtsText = PromptText<Thoughts>;

/** How a kind of case has its models think aloud, as loaded; undefined: not at all. */
export function thoughtsOf(
  { thinkAloud }: { thinkAloud?: ThinkAloud },
  prompts: PromptTexts,
): ThoughtsText | undefined {
  return thinkAloud === undefined ? undefined : prompts.of(thinkAloud);
}

/**
 * Adds the encouragement to think aloud to a prompt of the kind `tool-selection`; every other kind comes back as it is, the
 * same object. S2-03. It asks for thoughts besides the calls and not in their place, so that it contradicts no prompt that wants
 * calls.
 * @param text Its id goes onto that of the prompt, for what is asked with it is another prompt.
 */
export function encourageReasoning(request: ModelRequest, text: ThoughtsText): ModelRequest {
  if (request.kind !== 'tool-selection') return request;
  return {
    ...request,
    promptId: `${request.promptId}+${text.id}`,
    messages: withEncouragement(request.messages, text.render({ thoughts: {} })),
  };
}

// In the system message, at its end: the turns of a conversation stay as they were, and what comes before stays
// in the provider's cache.
function withEncouragement(messages: ModelMessage[], text: string): ModelMessage[] {
  const [first, ...rest] = messages;
  if (first?.role !== 'system') return [{ role: 'system', content: text }, ...messages];
  return [{ ...first, content: `${first.content}\n\n${text}` }, ...rest];
}
