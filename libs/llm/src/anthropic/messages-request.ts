import type { MessageCreateParams, MessageParam, Tool } from '@anthropic-ai/sdk/resources/messages';
import type { Json, JsonObject, ModelMessage, ModelRequest, ModelToolSpec } from '@casefile/contracts';
import { isObject } from '../json-parts.js';
import type { ProviderEntry } from '../provider-entry.js';
import { itemsOf } from '../provider-state.js';
import { anthropicSchema } from './anthropic-schema.js';

/**
 * A request in the words of Anthropic's Messages. A temperature is never sent: API version 2026-10-21 has none.
 * `reasoningParams` are added as they are; they cannot replace what the request itself says, but where both have an
 * `output_config` (effort there, format here) it gets both.
 */
export function messagesRequest(
  entry: ProviderEntry,
  request: ModelRequest,
  reasoningParams: JsonObject,
): MessageCreateParams {
  const system = request.messages.filter((message) => message.role === 'system');
  const format = answerFormat(entry, request);
  const output = { ...(isObject(reasoningParams.output_config) && reasoningParams.output_config), ...format };
  return {
    ...reasoningParams,
    model: entry.model,
    max_tokens: request.maxOutputTokens,
    ...(system.length > 0 && { system: system.map((message) => message.content).join('\n\n') }),
    messages: turns(entry, request.messages),
    ...(request.tools !== undefined && request.tools.length > 0 && { tools: request.tools.map(tool) }),
    ...(Object.keys(output).length > 0 && { output_config: output }),
    stream: entry.stream,
  };
}

/** Turns alternate here: the results of one turn's tools, and what a person says beside them, are one message. */
function turns(entry: ProviderEntry, messages: ModelMessage[]): MessageParam[] {
  const joined: { role: 'user' | 'assistant'; content: JsonObject[] }[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = blocks(entry, message);
    const last = joined.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) joined.push({ role, content });
  }
  // Blocks that came from this API go back as they are, whatever they are.
  return joined as unknown as MessageParam[];
}

function blocks(entry: ProviderEntry, message: ModelMessage): JsonObject[] {
  if (message.role === 'tool')
    return [{ type: 'tool_result', tool_use_id: message.toolCallId, content: message.content }];
  const verbatim = itemsOf(entry, message);
  if (Array.isArray(verbatim)) return verbatim.filter(isObject);
  // Empty text blocks are refused.
  const text = message.content === '' ? [] : [{ type: 'text', text: message.content }];
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return [
    ...text,
    ...calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: inputOf(args) })),
  ];
}

/** Input is an object here; arguments that were no JSON go back as the text they were. */
function inputOf(args: Json): JsonObject {
  return isObject(args) ? args : { unparsed: args };
}

function tool({ name, description, parameters }: ModelToolSpec): Tool {
  return { name, description, input_schema: { ...parameters, type: 'object' } };
}

/** With a schema that this API cannot hold the model to, the prompt alone asks for JSON. */
function answerFormat(
  entry: ProviderEntry,
  { answerSchema }: ModelRequest,
): { format?: { type: 'json_schema'; schema: JsonObject } } {
  if (answerSchema === undefined || entry.structuredOutput !== 'json_schema') return {};
  const schema = anthropicSchema(answerSchema.schema);
  return schema === null ? {} : { format: { type: 'json_schema', schema } };
}
