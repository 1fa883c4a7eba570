import type { Json, ModelReasoning, ModelToolCall, ModelUsage } from '@casefile/contracts';
import { countIn, isObject, listOf, partOf, textIn } from '../json-parts.js';
import { argumentsOf } from '../reading.js';
import type { Reading } from '../reading.js';

/** Reads an answer of the Responses API. null: it is none. */
export function readResponses(body: Json): Reading | null {
  const output = partOf(body, 'output');
  if (!Array.isArray(output)) return null;
  const found = { text: [] as string[], refusal: [] as string[], calls: [] as ModelToolCall[] };
  const unread: string[] = [];
  output.forEach((item, index) => readItem(item, index, found, unread));
  return {
    model: textIn(body, 'model'),
    text: found.text.join(''),
    reasoning: () => readReasoning(output),
    toolCalls: found.calls,
    finishReason: finishOf(body, found.calls),
    usage: readUsage(partOf(body, 'usage')),
    refusal: found.refusal.join('\n'),
    items: itemsOfTurn(output),
    unread,
  };
}

interface Found {
  text: string[];
  refusal: string[];
  calls: ModelToolCall[];
}

function readItem(item: Json, index: number, found: Found, unread: string[]): void {
  const type = textIn(item, 'type');
  if (type === 'reasoning') return;
  if (type === 'message') return readMessage(item, index, found, unread);
  const name = textIn(item, 'name');
  if (type !== 'function_call' || name === '') return void unread.push(`output[${index}] ${type}`.trim());
  const id = textIn(item, 'call_id') || textIn(item, 'id');
  const args = argumentsOf(partOf(item, 'arguments'));
  found.calls.push({ id, name, args });
}

function readMessage(item: Json, index: number, found: Found, unread: string[]): void {
  const content = partOf(item, 'content');
  if (typeof content === 'string') return void found.text.push(content);
  listOf(content).forEach((part, place) => {
    const type = textIn(part, 'type');
    const refusal = textIn(part, 'refusal');
    const text = partOf(part, 'text');
    if (refusal !== '') found.refusal.push(refusal);
    else if (typeof text === 'string') found.text.push(text);
    else unread.push(`output[${index}].content[${place}] ${type}`.trim());
  });
}

/**
 * `summary[]` is what OpenAI lets be seen of it; `content[]` the reasoning itself, of servers of open models; with
 * neither there may still be `encrypted_content`.
 */
function readReasoning(output: Json[]): ModelReasoning | null {
  const items = output.filter((item) => textIn(item, 'type') === 'reasoning');
  const raw = items.flatMap((item) => textsOf(partOf(item, 'content')));
  if (raw.length > 0) return { content: raw.join('\n\n'), kind: 'raw', source: 'reasoning.content' };
  const summary = items.flatMap((item) => textsOf(partOf(item, 'summary')));
  if (summary.length > 0)
    return { content: summary.join('\n\n'), kind: 'summary', source: 'reasoning.summary' };
  const encrypted = items.some((item) => textIn(item, 'encrypted_content') !== '');
  return encrypted ? { content: '', kind: 'encrypted', source: 'reasoning.encrypted_content' } : null;
}

function textsOf(parts: Json | undefined): string[] {
  return listOf(parts)
    .map((part) => textIn(part, 'text').trim())
    .filter((text) => text !== '');
}

/**
 * All items in their order, for each rests on those before it; but no reasoning that the provider did not encrypt: it
 * is not stored there, so its id alone would be refused. null: there is no reasoning to send back.
 */
function itemsOfTurn(output: Json[]): Json {
  const kept = output.filter(
    (item) => textIn(item, 'type') !== 'reasoning' || textIn(item, 'encrypted_content') !== '',
  );
  return kept.some((item) => textIn(item, 'type') === 'reasoning') ? kept : null;
}

function finishOf(body: Json, calls: ModelToolCall[]): string {
  const reason = textIn(partOf(body, 'incomplete_details'), 'reason');
  if (reason === 'max_output_tokens') return 'length';
  if (reason !== '') return reason;
  const status = textIn(body, 'status');
  if (status !== 'completed') return status || 'unknown';
  return calls.length > 0 ? 'tool_calls' : 'stop';
}

function readUsage(given: Json | undefined): ModelUsage | null {
  if (!isObject(given)) return null;
  return {
    inputTokens: countIn(given, 'input_tokens'),
    outputTokens: countIn(given, 'output_tokens'),
    reasoningTokens: countIn(partOf(given, 'output_tokens_details'), 'reasoning_tokens'),
    cachedTokens: countIn(partOf(given, 'input_tokens_details'), 'cached_tokens'),
  };
}
