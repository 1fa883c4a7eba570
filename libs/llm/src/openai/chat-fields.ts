import { isObject, type Json, type ModelReasoning } from '@casefile/contracts';
import { listOf, partOf, textIn } from '../json-parts.js';

/**
 * Fields of a chat message in which servers return reasoning, in the order in which they are looked at. S2-10.
 * `reasoning_content`: DeepSeek, xAI, vLLM until 0.11. `reasoning`: vLLM since, Ollama, Groq, OpenRouter. `thinking`:
 * Ollama's own field, as some gateways hand it on.
 */
export const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'thinking'] as const;
/** OpenRouter's list of what the provider behind it gave. */
export const REASONING_DETAILS = 'reasoning_details';
/** Alibaba's, beside a `reasoning_content` that is then only a summary. */
const ENCRYPTED_FIELD = 'encrypted_content';

/** The reasoning of a chat message by its own fields. */
export function chatReasoning(message: Json): ModelReasoning | null {
  const details = listOf(partOf(message, REASONING_DETAILS));
  for (const source of REASONING_FIELDS) {
    const content = textIn(message, source).trim();
    if (content !== '') return { content, kind: kindOf(message, details), source };
  }
  return fromDetails(details);
}

function fromDetails(details: Json[]): ModelReasoning | null {
  const readable = details.map((detail) => textIn(detail, 'text') || textIn(detail, 'summary'));
  const content = readable
    .filter((text) => text.trim() !== '')
    .join('\n\n')
    .trim();
  if (content !== '')
    return { content, kind: onlySummaries(details) ? 'summary' : 'raw', source: REASONING_DETAILS };
  return details.some(isEncrypted) ? { content: '', kind: 'encrypted', source: REASONING_DETAILS } : null;
}

function kindOf(message: Json, details: Json[]): 'summary' | 'raw' {
  return onlySummaries(details) || textIn(message, ENCRYPTED_FIELD) !== '' ? 'summary' : 'raw';
}

function onlySummaries(details: Json[]): boolean {
  const types = details.map((detail) => textIn(detail, 'type'));
  return types.includes('reasoning.summary') && !types.includes('reasoning.text');
}

function isEncrypted(detail: Json): boolean {
  return isObject(detail) && textIn(detail, 'type') === 'reasoning.encrypted';
}
