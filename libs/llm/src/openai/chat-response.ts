import {
  isObject,
  type Json,
  type JsonObject,
  type ModelToolCall,
  type ModelUsage,
} from '@casefile/contracts';
import { countIn, countSum, listOf, partOf, textIn } from '../json-parts.js';
import { argumentsOf } from '../reading.js';
import type { Reading } from '../reading.js';
import { chatReasoning, REASONING_DETAILS } from './chat-fields.js';

/** Reads a chat completion. null: it is none. */
export function readChat(body: Json, sentBack: readonly string[]): Reading | null {
  const choices = partOf(body, 'choices');
  if (!Array.isArray(choices)) return null;
  const choice = choices[0] ?? null;
  const message = partOf(choice, 'message') ?? null;
  const unread: string[] = choice === null || isObject(message) ? [] : ['message'];
  const toolCalls = readToolCalls(message, unread);
  const finish = textIn(choice, 'finish_reason') || 'unknown';
  return {
    model: textIn(body, 'model'),
    text: readText(partOf(message, 'content'), unread),
    reasoning: () => chatReasoning(message),
    toolCalls,
    // The name of the field before there were tools; some servers still use it.
    finishReason: finish === 'function_call' ? 'tool_calls' : finish,
    usage: readUsage(partOf(body, 'usage')),
    refusal: textIn(message, 'refusal'),
    items: toolCalls.length === 0 ? null : itemsOfTurn(message, sentBack),
    unread,
  };
}

function readText(content: Json | undefined, unread: string[]): string {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  if (!Array.isArray(content)) {
    unread.push('content');
    return '';
  }
  return content
    .map((part, index) => {
      const text = partOf(part, 'text');
      if (typeof text === 'string') return text;
      unread.push(`content[${index}] ${textIn(part, 'type')}`.trim());
      return '';
    })
    .join('');
}

function readToolCalls(message: Json, unread: string[]): ModelToolCall[] {
  const calls: ModelToolCall[] = [];
  listOf(partOf(message, 'tool_calls')).forEach((call, index) => {
    const name = textIn(partOf(call, 'function'), 'name');
    if (name === '') return void unread.push(`tool_calls[${index}]`);
    const args = argumentsOf(partOf(partOf(call, 'function'), 'arguments'));
    calls.push({ id: textIn(call, 'id'), name, args });
  });
  return calls;
}

/**
 * What must go back in a turn with tools: the reasoning fields that the provider wants (DeepSeek refuses the next call
 * without its `reasoning_content`), and what its tool calls have beside the usual (Gemini's compatible endpoint: signatures).
 */
function itemsOfTurn(message: Json, sentBack: readonly string[]): Json {
  const fields: JsonObject = {};
  for (const name of sentBack) {
    const value = partOf(message, name);
    const given = name === REASONING_DETAILS ? listOf(value).length > 0 : textIn(message, name) !== '';
    if (given && value !== undefined) fields[name] = value;
  }
  const extras = listOf(partOf(message, 'tool_calls')).map(extrasOf);
  const anyExtra = extras.some((extra) => Object.keys(extra).length > 0);
  if (Object.keys(fields).length === 0 && !anyExtra) return null;
  return { fields, ...(anyExtra && { toolCalls: extras }) };
}

const USUAL = new Set(['id', 'type', 'function', 'index']);

function extrasOf(call: Json): JsonObject {
  const entries = isObject(call) ? Object.entries(call) : [];
  return Object.fromEntries(entries.filter(([key]) => !USUAL.has(key)));
}

/** Tokens as the port counts them: output includes the reasoning. null: nothing was said. */
function readUsage(given: Json | undefined): ModelUsage | null {
  if (!isObject(given)) return null;
  const inputTokens = countIn(given, 'prompt_tokens');
  const answered = countIn(given, 'completion_tokens');
  const reasoningTokens = countIn(partOf(given, 'completion_tokens_details'), 'reasoning_tokens');
  const cachedTokens =
    countIn(partOf(given, 'prompt_tokens_details'), 'cached_tokens') ||
    countIn(given, 'prompt_cache_hit_tokens');
  // xAI and Gemini count reasoning beside the completion; their total shows it.
  const beside =
    countIn(given, 'total_tokens') === inputTokens + answered + reasoningTokens || answered < reasoningTokens;
  const outputTokens = beside ? countSum(answered, reasoningTokens) : answered;
  return { inputTokens, outputTokens, reasoningTokens, cachedTokens };
}
