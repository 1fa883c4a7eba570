import type { Json, ModelMessage, ModelRequest, ModelUsage } from '@casefile/contracts';

/** No tokenizer in use averages more bytes per token in any language; English has 4 to 5. */
const MOST_BYTES_A_TOKEN = 16;
/** Bytes per token of English text, used if the provider reports no tokens. */
const USUAL_BYTES_A_TOKEN = 4;

/** Parts of an answer that are counted. */
export interface CountedAnswer {
  content: string | null;
  toolCalls: unknown;
  reasoning: string | null;
  usage: ModelUsage;
}

/**
 * Returns the tokens of a call as limits and budgets count them, because a provider's figures may be wrong.
 * Input and output are each the greater of the provider's figure and `ceil(bytes / 16)`. The bytes are the
 * UTF-8 length of the messages (texts and calls) and tools, and of the answer's text, calls and reasoning. If
 * the provider reports 0 and 0, `ceil(bytes / 4)` counts.
 */
export function countedTokens(
  { messages, tools = [] }: Pick<ModelRequest, 'messages' | 'tools'>,
  { content, toolCalls, reasoning, usage }: CountedAnswer,
): { input: number; output: number } {
  const isSilent = usage.inputTokens + usage.outputTokens === 0;
  const bytesAToken = isSilent ? USUAL_BYTES_A_TOKEN : MOST_BYTES_A_TOKEN;
  const least = (...parts: unknown[]) => Math.ceil(bytesOf(parts) / bytesAToken);
  return {
    input: Math.max(usage.inputTokens, least(...messages.flatMap(messageParts), tools)),
    output: Math.max(usage.outputTokens, least(content ?? '', toolCalls ?? '', reasoning ?? '')),
  };
}

const messageParts = (message: ModelMessage): unknown[] =>
  message.role === 'assistant' ? [message.content, message.toolCalls ?? ''] : [message.content];

const encoder = new TextEncoder();
function bytesOf(parts: unknown[]): number {
  return parts.reduce<number>((sum, part) => sum + encoder.encode(textOf(part)).length, 0);
}

const textOf = (part: unknown): string =>
  typeof part === 'string' ? part : isEmpty(part) ? '' : JSON.stringify(part as Json);
const isEmpty = (part: unknown): boolean => Array.isArray(part) && part.length === 0;
