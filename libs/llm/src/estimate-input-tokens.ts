import { createRequire } from 'node:module';

import type { ModelMessage, ModelRequest } from '@casefile/contracts';

type Encoding = typeof import('gpt-tokenizer/encoding/o200k_base');

/** The encoder's time grows with the square of an unbroken text: it gets pieces. A cut adds a token at most. */
const PIECE = 500;
/**
 * Tokenizers of other providers give more tokens for the same text than OpenAI's o200k; the newest of Anthropic's the
 * most, up to 1.35 times by its own account.
 */
const OTHER_TOKENIZERS = 1.35;
/** o200k takes up to three digits as one token, those of Qwen and Llama-like models one by one. */
const DIGITS_TOGETHER = 2 / 3;
/** Of English text; where most of a text is in another script, older vocabularies have a token a character. */
const ASCII_PER_TOKEN = 4;
/** Roles and separators around each message, tool or schema; OpenAI's own figure is 3 to 7. */
const AROUND_EACH = 10;
/** What a provider adds by itself when there are tools or a schema: Anthropic names 313 to 530 tokens. */
const TOOL_PREAMBLE = 550;

/**
 * How many tokens a request will be counted as by any provider: an estimate for budgets that is meant to be too high
 * (typically by a third) rather than too low.
 */
export function estimateInputTokens(request: ModelRequest): number {
  const schemas = [...(request.tools ?? []), ...(request.answerSchema ? [request.answerSchema] : [])];
  const texts = [...request.messages.flatMap(textsOf), ...schemas.map((schema) => JSON.stringify(schema))];
  const inTexts = texts.reduce((sum, text) => sum + tokensOf(text), 0);
  const around = (request.messages.length + schemas.length) * AROUND_EACH;
  return Math.ceil(inTexts * OTHER_TOKENIZERS) + around + (schemas.length > 0 ? TOOL_PREAMBLE : 0);
}

function textsOf(message: ModelMessage): string[] {
  if (message.role !== 'assistant') return [message.content];
  const { content, toolCalls = [], providerState } = message;
  const calls = toolCalls.map((call) => JSON.stringify(call));
  return [content, ...calls, ...(providerState === undefined ? [] : [JSON.stringify(providerState)])];
}

function tokensOf(text: string): number {
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

/** Loaded at the first call of a model: 65 MB and a third of a second that most processes never need. */
function encoding(): Encoding {
  loaded ??= createRequire(import.meta.url)('gpt-tokenizer/encoding/o200k_base') as Encoding;
  return loaded;
}
