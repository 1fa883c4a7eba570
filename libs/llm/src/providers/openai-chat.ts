import type {
  ChatCompletionCreateParams,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';
import { makeAdapter, type Sending } from '../make-adapter.js';
import type { MakeModel } from '../provider.js';
import { readChat } from '../openai/chat-response.js';
import { assembleChat, chatDelta } from '../openai/chat-stream.js';
import { openAi } from '../openai/send.js';
import {
  isObject,
  type JsonObject,
  type ModelMessage,
  type ModelRequest,
  type ModelToolCall,
  type ModelToolSpec,
} from '@casefile/contracts';
import { listOf, partOf } from '../json-parts.js';
import type { ProviderEntry } from '../provider-entry.js';
import { stateItems } from '../provider-state.js';
import { isStrictSchema, isStrictTool } from '../strict-schema.js';
import { argumentsBack, requiresCall } from '../tool-calls.js';

/**
 * Builds a chat completions request. The provider's `reasoningParams` are added unchanged; they cannot
 * replace fields of the request.
 */
export function chatRequest(
  entry: ProviderEntry,
  request: ModelRequest,
  reasoningParams: JsonObject,
): ChatCompletionCreateParamsNonStreaming | ChatCompletionCreateParamsStreaming {
  return {
    ...reasoningParams,
    model: entry.model,
    messages: request.messages.map((message) => chatMessage(entry, message)),
    ...(request.tools !== undefined &&
      request.tools.length > 0 && { tools: request.tools.map((tool) => chatTool(entry, tool)) }),
    ...(requiresCall(request) && { tool_choice: 'required' as const }),
    ...answerFormat(entry, request),
    [entry.maxTokensField]: request.maxOutputTokens,
    ...(request.temperature !== undefined && entry.sendsTemperature && { temperature: request.temperature }),
    // Without `include_usage` a stream does not report token usage.
    ...(entry.stream ? { stream: true, stream_options: { include_usage: true } } : { stream: false }),
  };
}

function chatMessage(entry: ProviderEntry, message: ModelMessage): ChatCompletionMessageParam {
  if (message.role === 'tool')
    return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  if (message.role !== 'assistant') return { role: message.role, content: message.content };
  const calls = message.toolCalls ?? [];
  if (calls.length === 0) return { role: 'assistant', content: message.content };
  const content = message.content === '' ? null : message.content;
  const items = stateItems(entry, message) ?? null;
  const fields = partOf(items, 'fields');
  const extras = listOf(partOf(items, 'toolCalls'));
  return {
    role: 'assistant',
    content,
    ...(isObject(fields) && fields),
    tool_calls: calls.map((call, index) => ({ ...extraOf(extras[index] ?? null), ...chatToolCall(call) })),
  };
}

function extraOf(extra: JsonObject[string]): JsonObject {
  return isObject(extra) ? extra : {};
}

function chatToolCall({ id, name, args }: ModelToolCall) {
  const text = JSON.stringify(argumentsBack(args));
  return { id, type: 'function' as const, function: { name, arguments: text } };
}

function chatTool(
  entry: ProviderEntry,
  { name, description, parameters }: ModelToolSpec,
): ChatCompletionTool {
  const strict = entry.strictTools && isStrictTool(parameters);
  return { type: 'function', function: { name, description, parameters, ...(strict && { strict }) } };
}

/** Asks for structured output if the provider supports it. */
function answerFormat(
  entry: ProviderEntry,
  { answerSchema }: ModelRequest,
): Pick<ChatCompletionCreateParamsNonStreaming, 'response_format'> {
  if (answerSchema === undefined || entry.structuredOutput === 'none') return {};
  if (entry.structuredOutput === 'json_object') return { response_format: { type: 'json_object' } };
  const { name, schema } = answerSchema;
  return {
    response_format: { type: 'json_schema', json_schema: { name, schema, strict: isStrictSchema(schema) } },
  };
}

/** OpenAI's chat completions, and every server that speaks this protocol. */
export const openAiChat: MakeModel = (entry, parts) =>
  makeAdapter({
    send,
    read: (body) => readChat(body, entry.sendsBack),
    assemble: assembleChat,
    delta: chatDelta,
  })(entry, parts);

async function send(sending: Sending): Promise<unknown> {
  const { entry, request, reasoningParams, signal } = sending;
  const params: ChatCompletionCreateParams = chatRequest(entry, request, reasoningParams);
  const client = await openAi(sending);
  return client.chat.completions.create(params, { signal }).asResponse();
}
