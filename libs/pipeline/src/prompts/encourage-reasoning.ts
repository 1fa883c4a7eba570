import type { ModelMessage, ModelRequest } from '@casefile/contracts';

/** Goes onto the id of every prompt it is added to: what was asked with it is not what was asked without. */
export const ENCOURAGE_REASONING_ID = 'encourage-reasoning@1';

const ENCOURAGEMENT = `Before you choose tools, think aloud between <thinking> and </thinking>. Work through these questions there:
- Which symptoms does the case show?
- Which steps does the runbook suggest for them, and which of those are still open?
- Which tools give the facts for those steps?
- With which exact parameters should each of them be called?
Then give your choice after </thinking>, in the form you were asked for.`;

/**
 * Adds the encouragement to think aloud to a prompt of the kind `tool-selection`; every other kind comes back as it
 * is, the same object. S2-03.
 */
export function encourageReasoning(request: ModelRequest): ModelRequest {
  if (request.kind !== 'tool-selection') return request;
  return {
    ...request,
    promptId: `${request.promptId}+${ENCOURAGE_REASONING_ID}`,
    messages: withEncouragement(request.messages),
  };
}

// In the system message, at its end: the turns of a conversation stay as they were, and what comes before stays
// in the provider's cache.
function withEncouragement(messages: ModelMessage[]): ModelMessage[] {
  const [first, ...rest] = messages;
  if (first?.role !== 'system') return [{ role: 'system', content: ENCOURAGEMENT }, ...messages];
  return [{ ...first, content: `${first.content}\n\n${ENCOURAGEMENT}` }, ...rest];
}
