import type { JsonObject } from '@casefile/contracts';
import { reasoningOf } from '../answer.js';
import type { Answer } from '../answer.js';
import { seal } from '../seal.js';

/**
 * Where servers of chat completions put the reasoning: `reasoning_content` DeepSeek and older vLLM, `reasoning` vLLM
 * and Ollama, `reasoning_details` OpenRouter (with `reasoning` beside it), `thinking` Ollama's own API, `none` OpenAI.
 */
export const REASONING_FIELDS = [
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'thinking',
  'none',
] as const;
export type ReasoningField = (typeof REASONING_FIELDS)[number];

/** The reasoning of a message or of a delta. Sealed reasoning is only to be had in `reasoning_details`. */
export function chatReasoning(answer: Answer, field: ReasoningField): JsonObject {
  const parts = reasoningOf(answer);
  if (parts.length === 0 || field === 'none') return {};
  if (field === 'reasoning_details') return openRouterReasoning(parts, answer.redacted === true);
  return answer.redacted === true ? {} : { [field]: parts.join('\n\n') };
}

function openRouterReasoning(parts: string[], redacted: boolean): JsonObject {
  const format = 'casefile-simulator-v1';
  const reasoning_details = parts.map((text, index): JsonObject =>
    redacted
      ? { type: 'reasoning.encrypted', data: seal(text), format, index }
      : { type: 'reasoning.text', text, format, index },
  );
  return { ...(!redacted && { reasoning: parts.join('\n\n') }), reasoning_details };
}
