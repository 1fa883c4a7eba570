import {
  isObject,
  type Json,
  type JsonObject,
  type ModelToolCall,
  type ModelUsage,
  type ModelReasoning,
} from '@casefile/contracts';
import { areCounts, contentParts, countIn, countSum, listOf, partOf, textIn } from '../json-parts.js';
import { readArguments, type Reading } from '../reading.js';
import { isThoughtPart, thoughtText } from '../thought-parts.js';

/**
 * Fields of a chat message in which servers return reasoning, in the order in which they are read.
 * `reasoning_content`: DeepSeek, xAI, vLLM until 0.11. `reasoning`: vLLM since, Ollama, Groq, OpenRouter.
 * `thinking`: Ollama's own field, passed through by some gateways. `thinking_blocks`: LiteLLM. Each is a text, a list of parts or an
 * object around either.
 */
export const REASONING_FIELDS = [
  'reasoning_content',
  'reasoning',
  'thinking',
  'thinking_blocks',
  'thought',
  'thoughts',
] as const;
/** OpenRouter's list of the reasoning details of the provider behind it. */
export const REASONING_DETAILS = 'reasoning_details';
/** Alibaba's field. The `reasoning_content` next to it is then only a summary. */
const ENCRYPTED_FIELD = 'encrypted_content';

/** Reads the reasoning from the fields of a chat message. */
function chatReasoning(message: Json): ModelReasoning | null {
  const details = listOf(partOf(message, REASONING_DETAILS));
  for (const source of REASONING_FIELDS) {
    const content = thoughtText(partOf(message, source)).trim();
    if (content !== '') return { content, kind: messageKind(message, details), source };
  }
  return fromDetails(details) ?? fromParts(contentParts(partOf(message, 'content')));
}

/** Mistral, and gateways to other models, return reasoning as typed parts of the content. */
function fromParts(parts: Json[]): ModelReasoning | null {
  const thoughts = parts.filter(isThoughtPart);
  const content = thoughts
    .map((part) => thoughtText(part).trim())
    .filter((text) => text !== '')
    .join('\n\n');
  const source = `content.${textIn(thoughts[0], 'type') || 'thought'}`;
  if (content !== '') return { content, kind: 'raw', source };
  return thoughts.length > 0 ? { content: '', kind: 'encrypted', source } : null;
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

function messageKind(message: Json, details: Json[]): 'summary' | 'raw' {
  return onlySummaries(details) || textIn(message, ENCRYPTED_FIELD) !== '' ? 'summary' : 'raw';
}

function onlySummaries(details: Json[]): boolean {
  const types = details.map((detail) => textIn(detail, 'type'));
  return types.includes('reasoning.summary') && !types.includes('reasoning.text');
}

function isEncrypted(detail: Json): boolean {
  return isObject(detail) && textIn(detail, 'type') === 'reasoning.encrypted';
}

/** Reads a chat completion. Returns null if the body is not one. */
export function readChat(body: Json, sentBack: readonly string[]): Reading | null {
  const choices = partOf(body, 'choices');
  if (!Array.isArray(choices)) return null;
  const choice = choices[0] ?? null;
  const message = partOf(choice, 'message') ?? null;
  const unread: string[] = choice === null || isObject(message) ? [] : ['message'];
  const toolCalls = readToolCalls(message, unread);
  const finish = textIn(choice, 'finish_reason') || 'unknown';
  const failure = partOf(choice, 'error');
  return {
    model: textIn(body, 'model'),
    // `parsed`: the answer as an object, which some servers send in place of its text.
    text: readText(partOf(message, 'content') ?? partOf(message, 'parsed'), unread),
    reasoning: () => chatReasoning(message),
    toolCalls,
    // Value from before tools existed; some servers still use it.
    finishReason: finish === 'function_call' ? 'tool_calls' : finish,
    usage: readUsage(partOf(body, 'usage')),
    refusal: textIn(message, 'refusal'),
    // OpenRouter: the provider behind it failed after it had started to answer.
    ...(isObject(failure) && { failure: { error: failure } }),
    items: toolCalls.length === 0 ? null : itemsOfTurn(message, sentBack),
    unread,
  };
}

function readText(content: Json | undefined, unread: string[]): string {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  if (!Array.isArray(content) && !isObject(content)) {
    unread.push('content');
    return '';
  }
  return contentParts(content)
    .map((part, index) => {
      if (isThoughtPart(part)) return '';
      const text = typeof part === 'string' ? part : partOf(part, 'text');
      if (typeof text === 'string') return text;
      unread.push(`content[${index}] ${textIn(part, 'type')}`.trim());
      return '';
    })
    .join('');
}

function readToolCalls(message: Json, unread: string[]): ModelToolCall[] {
  const calls: ModelToolCall[] = [];
  const toolCalls = listOf(partOf(message, 'tool_calls'));
  // Field from before tools existed; some servers still use it.
  const older = partOf(message, 'function_call');
  [...toolCalls, ...(isObject(older) && toolCalls.length === 0 ? [{ function: older }] : [])].forEach(
    (call, index) => {
      // Some servers omit the `function` level.
      const about = isObject(partOf(call, 'function')) ? partOf(call, 'function') : call;
      const name = textIn(about, 'name');
      if (name === '') return void unread.push(`tool_calls[${index}]`);
      const args = readArguments(partOf(about, 'arguments') ?? partOf(about, 'parameters'));
      calls.push({ id: textIn(call, 'id'), name, args });
    },
  );
  return calls;
}

/**
 * Items to send back in a turn with tools: the reasoning fields that the provider requires (DeepSeek refuses
 * the next call without its `reasoning_content`), and extra fields of its tool calls (Gemini's compatible
 * endpoint: signatures).
 */
function itemsOfTurn(message: Json, sentBack: readonly string[]): Json {
  const fields: JsonObject = {};
  for (const name of sentBack) {
    const value = partOf(message, name);
    const isPresent = name === REASONING_DETAILS ? listOf(value).length > 0 : textIn(message, name) !== '';
    if (isPresent && value !== undefined) fields[name] = value;
  }
  const extras = listOf(partOf(message, 'tool_calls')).map(callExtras);
  const anyExtra = extras.some((extra) => Object.keys(extra).length > 0);
  if (Object.keys(fields).length === 0 && !anyExtra) return null;
  return { fields, ...(anyExtra && { toolCalls: extras }) };
}

const USUAL = new Set(['id', 'type', 'function', 'index']);

function callExtras(call: Json): JsonObject {
  const entries = isObject(call) ? Object.entries(call) : [];
  return Object.fromEntries(entries.filter(([key]) => !USUAL.has(key)));
}

/** Tokens as the port counts them: output includes the reasoning. null: the provider reported none. */
function readUsage(usage: Json | undefined): ModelUsage | null {
  if (!areCounts(usage, ['prompt_tokens', 'completion_tokens'])) return null;
  const inputTokens = countIn(usage, 'prompt_tokens');
  const answered = countIn(usage, 'completion_tokens');
  const reasoningTokens = countIn(partOf(usage, 'completion_tokens_details'), 'reasoning_tokens');
  const cachedTokens =
    countIn(partOf(usage, 'prompt_tokens_details'), 'cached_tokens') ||
    countIn(usage, 'prompt_cache_hit_tokens');
  // xAI and Gemini count reasoning separately from the completion; only their total includes it.
  const isSeparate =
    countIn(usage, 'total_tokens') === inputTokens + answered + reasoningTokens || answered < reasoningTokens;
  const outputTokens = isSeparate ? countSum(answered, reasoningTokens) : answered;
  return { inputTokens, outputTokens, reasoningTokens, cachedTokens };
}
