import { createRequire } from 'node:module';

import type { ModelMessage, ModelRequest } from '@casefile/contracts';

type Encoding = typeof import('gpt-tokenizer/encoding/o200k_base');

/**
 * The encoder's time grows with the square of an unbroken text, so the text is cut. Each cut adds at most one
 * token.
 */
const PIECE = 500;
/**
 * Tokenizers of other providers produce more tokens for the same text than OpenAI's o200k. Anthropic's newest
 * produces the most: up to 1.35 times, according to Anthropic.
 */
const OTHER_TOKENIZERS = 1.35;
/** o200k encodes up to three digits as one token; Qwen and Llama-like models encode each digit separately. */
const DIGITS_TOGETHER = 2 / 3;
/**
 * For English text. If most of a text is in another script, older vocabularies use one token per character.
 */
const ASCII_PER_TOKEN = 4;
/** Roles and separators around each message, tool or schema. OpenAI states 3 to 7. */
const AROUND_EACH = 10;
/** Tokens that a provider adds automatically for tools or a schema: Anthropic states 313 to 530. */
const TOOL_PREAMBLE = 550;

/**
 * Estimates the input tokens of a request for budgets, for any provider. The estimate is deliberately too
 * high (typically by a third) rather than too low.
 */
export function estimateInputTokens(
  request: Pick<ModelRequest, 'messages' | 'tools' | 'answerSchema'>,
): number {
  const schemas = [...(request.tools ?? []), ...(request.answerSchema ? [request.answerSchema] : [])];
  const texts = [
    ...request.messages.flatMap(messageTexts),
    ...schemas.map((schema) => JSON.stringify(schema)),
  ];
  const inTexts = texts.reduce((sum, text) => sum + textTokens(text), 0);
  const around = (request.messages.length + schemas.length) * AROUND_EACH;
  return Math.ceil(inTexts * OTHER_TOKENIZERS) + around + (schemas.length > 0 ? TOOL_PREAMBLE : 0);
}

/** Estimates the tokens of a text, in the same way. */
export function estimateTextTokens(text: string): number {
  return Math.ceil(textTokens(text) * OTHER_TOKENIZERS);
}

function messageTexts(message: ModelMessage): string[] {
  if (message.role !== 'assistant') return [message.content];
  const { content, toolCalls = [], providerState } = message;
  const calls = toolCalls.map((call) => JSON.stringify(call));
  return [content, ...calls, ...(providerState === undefined ? [] : [JSON.stringify(providerState)])];
}

function textTokens(text: string): number {
  const { countTokens } = encoding();
  let tokens = 0;
  for (let at = 0; at < text.length; at += PIECE) {
    tokens += countTokens(text.slice(at, at + PIECE), { disallowedSpecial: new Set() });
  }
  const digits = text.match(/\d/g)?.length ?? 0;
  const foreign = text.match(/\P{ASCII}/gu)?.length ?? 0;
  const byCharacter = foreign + (text.length - foreign) / ASCII_PER_TOKEN;
  return Math.max(tokens, foreign === 0 ? 0 : byCharacter) + digits * DIGITS_TOGETHER;
}

let loaded: Encoding | undefined;

/**
 * Loaded with the first model call: it takes 65 MB and a third of a second, which most processes never need.
 */
function encoding(): Encoding {
  loaded ??= createRequire(import.meta.url)('gpt-tokenizer/encoding/o200k_base') as Encoding;
  return loaded;
}
