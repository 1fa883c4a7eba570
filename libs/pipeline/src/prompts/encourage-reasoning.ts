import type { ModelMessage, ModelRequest } from '@casefile/contracts';

/** How a kind of case has a model think aloud before it chooses tools: its own questions. S2-08. */
export interface ThinkAloud {
  /** With its version; goes onto the id of every prompt it is added to, for what is asked with it is another prompt. */
  id: string;
  questions: readonly [string, string, string, string];
}

/**
 * Adds the encouragement to think aloud to a prompt of the kind `tool-selection`; every other kind comes back as it is, the
 * same object. S2-03. It asks for thoughts besides the calls and not in their place, so that it contradicts no prompt that wants
 * calls.
 */
export function encourageReasoning(request: ModelRequest, { id, questions }: ThinkAloud): ModelRequest {
  if (request.kind !== 'tool-selection') return request;
  return {
    ...request,
    promptId: `${request.promptId}+${id}`,
    messages: withEncouragement(request.messages, encouragementOf(questions)),
  };
}

function encouragementOf(questions: readonly string[]): string {
  const list = questions.map((question) => `- ${question}`).join('\n');
  return `Begin each turn by thinking aloud, between <thinking> and </thinking>. Work through these questions there:
${list}
After </thinking> make your tool calls, in the same turn. The thoughts are for you; only the calls count.`;
}

// In the system message, at its end: the turns of a conversation stay as they were, and what comes before stays
// in the provider's cache.
function withEncouragement(messages: ModelMessage[], text: string): ModelMessage[] {
  const [first, ...rest] = messages;
  if (first?.role !== 'system') return [{ role: 'system', content: text }, ...messages];
  return [{ ...first, content: `${first.content}\n\n${text}` }, ...rest];
}
