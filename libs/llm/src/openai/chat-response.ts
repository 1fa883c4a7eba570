import { CasefileError, UnusableAnswer, z } from '@casefile/contracts';
import type { Json, ModelResponse, ModelToolCall, ModelUsage } from '@casefile/contracts';
import { httpError } from '../http-failure.js';
import { costOf } from '../pricing.js';
import type { ModelParts } from '../provider.js';
import type { ProviderEntry } from '../provider-entry.js';
import { extractReasoning } from '../reasoning.js';
import { storable } from '../storable.js';
import type { RawAnswer } from './client.js';

const callSchema = z.looseObject({
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string(), arguments: z.unknown().optional() }),
});
const textPartSchema = z.looseObject({ type: z.string(), text: z.string().optional() });
const messageSchema = z.looseObject({
  content: z.union([z.string(), z.array(textPartSchema)]).nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(callSchema).nullish(),
});
const choiceSchema = z.looseObject({ finish_reason: z.string().nullish(), message: messageSchema });
const bodySchema = z.looseObject({
  model: z.string().nullish(),
  choices: z.array(choiceSchema),
  usage: z.unknown().optional(),
});
type Choice = z.infer<typeof choiceSchema>;

/** Larger bodies are kept as a beginning and their length. */
const RAW_CHARACTERS = 1_000_000;
const EXCERPT_CHARACTERS = 64_000;
/** What an integer column takes. */
const MOST_TOKENS = 2_147_483_647;

/**
 * Reads a chat completion.
 * An answer that was cut by its length limit is an answer, and one that has only reasoning too: both are the
 * caller's to judge, and stay on the record.
 * @throws UnusableAnswer `empty_answer`, `refused`; CasefileError `cut_answer`, `bad_answer`, or what an error body says.
 */
export function readChatResponse(entry: ProviderEntry, answer: RawAnswer, parts: ModelParts): ModelResponse {
  const body = parseBody(entry, answer);
  rethrowErrorBody(entry, body, parts);
  const parsed = bodySchema.safeParse(body);
  if (!parsed.success) throw badAnswer(entry, 'is not a chat completion');
  const [choice] = parsed.data.choices;
  const model = parsed.data.model ?? entry.model;
  const usage = readUsage(parsed.data.usage);
  const response: ModelResponse = {
    provider: entry.name,
    model,
    ...contentOf(choice, entry, parts),
    toolCalls: (choice?.message.tool_calls ?? []).map(readToolCall),
    finishReason: choice?.finish_reason ?? 'unknown',
    usage,
    raw: kept(body, answer.text),
    costUsd: costOf(entry, model, usage),
  };
  rejectNoAnswer(response, choice);
  return response;
}

function parseBody(entry: ProviderEntry, { text, contentType }: RawAnswer): Json {
  try {
    return storable(JSON.parse(text) as Json);
  } catch (cause) {
    if (text.trim() === '')
      throw new CasefileError('empty_answer', `${entry.name} sent an empty body`, { retryable: true });
    if (!/json/i.test(contentType))
      throw badAnswer(entry, `is ${contentType || 'of no content type'}, not JSON`);
    throw new CasefileError('cut_answer', `The answer of ${entry.name} is not whole JSON`, {
      retryable: true,
      cause,
    });
  }
}

/** Routers answer 200 with an error inside when the server behind them failed. */
function rethrowErrorBody(entry: ProviderEntry, body: Json, parts: ModelParts): void {
  const shape = z.looseObject({
    error: z.looseObject({ message: z.string().optional(), code: z.unknown().optional() }),
  });
  const parsed = shape.safeParse(body);
  if (!parsed.success || (typeof body === 'object' && body !== null && 'choices' in body)) return;
  const { message = 'no message', code } = parsed.data.error;
  const status = Number.isInteger(code) && Number(code) >= 400 && Number(code) < 600 ? Number(code) : 502;
  const codes = typeof code === 'string' ? [code] : [];
  throw httpError(
    { provider: entry.name, status, codes, message, headers: new Headers() },
    parts.clock.now(),
  );
}

function contentOf(choice: Choice | undefined, entry: ProviderEntry, { log }: ModelParts) {
  const given = choice?.message.content ?? '';
  const text = typeof given === 'string' ? given : given.map((part) => part.text ?? '').join('');
  const { content, reasoning, error } = extractReasoning(text, choice?.message, entry.reasoningTags);
  if (error !== undefined)
    log.error({ provider: entry.name, reasonCode: error.reasonCode, err: error }, error.message);
  return { content, reasoning };
}

function rejectNoAnswer(response: ModelResponse, choice: Choice | undefined): void {
  const refusal = choice?.message.refusal ?? '';
  if (refusal !== '' || response.finishReason === 'content_filter') {
    throw new UnusableAnswer(
      'refused',
      `The model refused: ${refusal.slice(0, 500) || 'content filter'}`,
      response,
    );
  }
  if (response.content.trim() !== '' || response.toolCalls.length > 0 || response.reasoning !== null) return;
  throw new UnusableAnswer('empty_answer', 'The model answered nothing', response, { retryable: true });
}

function readToolCall(call: z.infer<typeof callSchema>, index: number): ModelToolCall {
  const { name, arguments: given } = call.function;
  // The body went through `storable`, so what is not text is JSON already.
  const args = typeof given === 'string' ? parsedOrText(given) : ((given ?? {}) as Json);
  return { id: call.id || `call_${index}`, name, args };
}

function parsedOrText(text: string): Json {
  if (text.trim() === '') return {};
  try {
    return storable(JSON.parse(text) as Json);
  } catch {
    return text;
  }
}

/** Tokens as the port counts them: output includes the reasoning. Negative, absent and absurd figures are 0. */
function readUsage(given: unknown): ModelUsage {
  const inputTokens = figure(given, 'prompt_tokens');
  const answered = figure(given, 'completion_tokens');
  const reasoningTokens = figure(partOf(given, 'completion_tokens_details'), 'reasoning_tokens');
  const cachedTokens =
    figure(partOf(given, 'prompt_tokens_details'), 'cached_tokens') ||
    figure(given, 'prompt_cache_hit_tokens');
  // xAI and Gemini count reasoning beside the completion; their total shows it.
  const beside =
    figure(given, 'total_tokens') === inputTokens + answered + reasoningTokens || answered < reasoningTokens;
  const outputTokens = Math.min(beside ? answered + reasoningTokens : answered, MOST_TOKENS);
  return { inputTokens, outputTokens, reasoningTokens, cachedTokens };
}

function partOf(from: unknown, key: string): unknown {
  return typeof from === 'object' && from !== null ? Reflect.get(from, key) : undefined;
}

function figure(from: unknown, key: string): number {
  const value = partOf(from, key);
  return typeof value === 'number' && value > 0 && value <= MOST_TOKENS ? Math.round(value) : 0;
}

function kept(body: Json, text: string): Json {
  if (text.length <= RAW_CHARACTERS) return body;
  return {
    bodyLeftOut: true,
    characters: text.length,
    beginning: storable(text.slice(0, EXCERPT_CHARACTERS)),
  };
}

function badAnswer(entry: ProviderEntry, what: string): CasefileError {
  return new CasefileError('bad_answer', `The answer of ${entry.name} ${what}`, { retryable: true });
}
