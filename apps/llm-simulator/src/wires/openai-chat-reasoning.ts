import type { JsonObject } from '@casefile/contracts';
import { answerReasoning } from '../answer.js';
import type { Answer } from '../answer.js';
import { seal } from '../seal.js';

/**
 * Fields in which servers of chat completions return the reasoning: `reasoning_content` for DeepSeek and
 * older vLLM, `reasoning` for vLLM and Ollama, `reasoning_details` for OpenRouter (in addition to
 * `reasoning`), `thinking` for Ollama's own API, `none` for OpenAI.
 */
export const REASONING_FIELDS = [
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'thinking',
  'none',
] as const;
export type ReasoningField = (typeof REASONING_FIELDS)[number];

/** Returns the reasoning of a message or a delta. Only `reasoning_details` can carry sealed reasoning. */
export function chatReasoning(answer: Answer, field: ReasoningField): JsonObject {
  const parts = answerReasoning(answer);
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
