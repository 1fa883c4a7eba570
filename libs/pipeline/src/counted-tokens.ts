import type { Json, ModelMessage, ModelRequest, ModelUsage } from '@casefile/contracts';

/** No tokenizer in use puts more bytes of a language into a token in the mean; English has 4 to 5. */
const MOST_BYTES_A_TOKEN = 16;
/** Where the provider says nothing: of English text. */
const USUAL_BYTES_A_TOKEN = 4;

/** What is counted of an answer. */
export interface CountedAnswer {
  content: string | null;
  toolCalls: unknown;
  reasoning: string | null;
  usage: ModelUsage;
}

/**
 * Tokens of a call as limits and budgets count them, for a provider's figures may be wrong: each of input and output is
 * the greater of what the provider says and `ceil(bytes / 16)`, bytes being those of the texts and calls of the request's
 * messages, of its tools, and of the answer's text, calls and reasoning, as UTF-8. Where it says nothing at all (0 and 0), `ceil(bytes / 4)`.
 */
export function countedTokens(
  { messages, tools = [] }: Pick<ModelRequest, 'messages' | 'tools'>,
  { content, toolCalls, reasoning, usage }: CountedAnswer,
): { input: number; output: number } {
  const isSilent = usage.inputTokens + usage.outputTokens === 0;
  const bytesAToken = isSilent ? USUAL_BYTES_A_TOKEN : MOST_BYTES_A_TOKEN;
  const least = (...parts: unknown[]) => Math.ceil(bytesOf(parts) / bytesAToken);
  return {
    input: Math.max(usage.inputTokens, least(...messages.flatMap(partsOf), tools)),
    output: Math.max(usage.outputTokens, least(content ?? '', toolCalls ?? '', reasoning ?? '')),
  };
}

const partsOf = (message: ModelMessage): unknown[] =>
  message.role === 'assistant' ? [message.content, message.toolCalls ?? ''] : [message.content];

const encoder = new TextEncoder();
function bytesOf(parts: unknown[]): number {
  return parts.reduce<number>((sum, part) => sum + encoder.encode(textOf(part)).length, 0);
}

const textOf = (part: unknown): string =>
  typeof part === 'string' ? part : isEmpty(part) ? '' : JSON.stringify(part as Json);
const isEmpty = (part: unknown): boolean => Array.isArray(part) && part.length === 0;
