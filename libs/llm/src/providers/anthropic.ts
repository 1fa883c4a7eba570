import { readMessage, assembleMessage, messageDelta } from '../anthropic/messages-response.js';
import { makeAdapter, type Sending } from '../make-adapter.js';
import type { MakeModel } from '../provider.js';
import type { MessageCreateParams, MessageParam, Tool } from '@anthropic-ai/sdk/resources/messages';
import {
  isObject,
  type JsonObject,
  type ModelMessage,
  type ModelRequest,
  type ModelToolSpec,
  type Json,
} from '@casefile/contracts';
import { textIn } from '../json-parts.js';
import type { ProviderEntry } from '../provider-entry.js';
import { stateItems } from '../provider-state.js';
import { argumentsBack, messageCallIds, holdsOff, requiresCall } from '../tool-calls.js';
import { isDeepStrictEqual } from 'node:util';
import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';

/**
 * Builds a request of Anthropic's Messages API. It never contains a temperature: API version 2026-10-21 has
 * none. `reasoningParams` are added unchanged and cannot replace fields of the request. If both have an
 * `output_config` (effort there, format here), the request contains both.
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
    ...(system.length > 0 && {
      system: systemOf(entry, system.map((message) => message.content).join('\n\n')),
    }),
    messages: turns(entry, request),
    ...(request.tools !== undefined &&
      request.tools.length > 0 && { tools: request.tools.map((spec) => tool(entry, spec)) }),
    ...(requiresCall(request) &&
      !holdsOff(entry, reasoningParams) && { tool_choice: { type: 'any' as const } }),
    ...(Object.keys(output).length > 0 && { output_config: output }),
    stream: entry.stream,
  };
}

const CACHED = { cache_control: { type: 'ephemeral' as const } };

/** Instructions are the same for all cases. What precedes them in the cache, the tools, is cached with them. */
function systemOf({ promptCache }: ProviderEntry, text: string): MessageCreateParams['system'] {
  return promptCache ? [{ type: 'text', text, ...CACHED }] : text;
}

/** A conversation with tools goes on with all it contains, so its end is marked too. */
function endMarked(content: JsonObject[]): JsonObject[] {
  const end = content.at(-1);
  return end?.type === 'text' || end?.type === 'tool_result'
    ? [...content.slice(0, -1), { ...end, ...CACHED }]
    : content;
}

/**
 * Turns alternate in this API: the results of one turn's tools and a user's text after them are one message.
 */
function turns(entry: ProviderEntry, { messages, tools = [] }: ModelRequest): MessageParam[] {
  const joined: { role: 'user' | 'assistant'; content: JsonObject[] }[] = [];
  const ids = messageCallIds(messages, { idsOf: (message) => givenIds(entry, message), spelled });
  for (const [at, message] of messages.entries()) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = blocks(entry, message, ids[at] ?? []);
    const last = joined.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) joined.push({ role, content });
  }
  const last = joined.at(-1);
  if (entry.promptCache && tools.length > 0 && last !== undefined) last.content = endMarked(last.content);
  // Blocks received from this API are sent back unchanged.
  return joined as unknown as MessageParam[];
}

/** Ids of other providers may contain characters that this API refuses. */
function spelled(id: string): string {
  return id.replace(/[^\w-]/g, '_') || '_';
}

function verbatimTurn(entry: ProviderEntry, message: ModelMessage): JsonObject[] | null {
  const items = stateItems(entry, message);
  return Array.isArray(items) ? items.filter(isObject) : null;
}

function givenIds(entry: ProviderEntry, message: ModelMessage): string[] | null {
  const uses = verbatimTurn(entry, message)?.filter(({ type }) => type === 'tool_use');
  return uses?.map((block) => textIn(block, 'id')) ?? null;
}

/** The block as received, except input that was cut or is not JSON: the API would refuse it. */
function verbatimBlock(block: JsonObject): JsonObject {
  return block.type === 'tool_use' ? { ...block, input: argumentsBack(block.input ?? {}) } : block;
}

function blocks(entry: ProviderEntry, message: ModelMessage, ids: string[]): JsonObject[] {
  if (message.role === 'tool') {
    const { toolCallId, content, isError = false } = message;
    const result = { type: 'tool_result', tool_use_id: ids[0] ?? toolCallId, content };
    return [{ ...result, ...(isError && { is_error: true }) }];
  }
  const verbatim = verbatimTurn(entry, message);
  if (verbatim !== null) return verbatim.map(verbatimBlock);
  // Empty text blocks are refused.
  const text = message.content === '' ? [] : [{ type: 'text', text: message.content }];
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return [
    ...text,
    ...calls.map(({ id, name, args }, index) => ({
      type: 'tool_use',
      id: ids[index] ?? id,
      name,
      input: argumentsBack(args),
    })),
  ];
}

function tool(entry: ProviderEntry, { name, description, parameters }: ModelToolSpec): Tool {
  const strict = entry.strictTools && takesStrictly(parameters);
  return { name, description, input_schema: { ...parameters, type: 'object' }, ...(strict && { strict }) };
}

/** If this API cannot enforce the schema, only the prompt asks for JSON. */
function answerFormat(
  entry: ProviderEntry,
  { answerSchema }: ModelRequest,
): { format?: { type: 'json_schema'; schema: JsonObject } } {
  if (answerSchema === undefined || entry.structuredOutput !== 'json_schema') return {};
  const schema = anthropicSchema(answerSchema.schema);
  return schema === null ? {} : { format: { type: 'json_schema', schema } };
}

/**
 * Converts a JSON Schema to the form that Anthropic accepts: every object is closed, and refused keywords
 * (limits of numbers, lengths) move to the description. Returns null if that would change the meaning: an
 * object with free keys cannot be closed.
 */
function anthropicSchema(schema: JsonObject): JsonObject | null {
  if (hasFreeObject(schema)) return null;
  try {
    return transformJSONSchema(schema) as JsonObject;
  } catch {
    // The SDK refuses the schemas that the API would refuse.
    return null;
  }
}

/**
 * Returns whether the API can enforce this argument schema unchanged. Other schemas are sent without
 * enforcement.
 */
function takesStrictly(parameters: JsonObject): boolean {
  return parameters.type === 'object' && isDeepStrictEqual(anthropicSchema(parameters), parameters);
}

function hasFreeObject(value: Json): boolean {
  if (Array.isArray(value)) return value.some(hasFreeObject);
  if (!isObject(value)) return false;
  const named = isObject(value.properties) && Object.keys(value.properties).length > 0;
  const free = value.type === 'object' && !named && value.additionalProperties !== false;
  return free || Object.values(value).some(hasFreeObject);
}

/** Anthropic's Messages API. */
export const anthropic: MakeModel = makeAdapter({
  send,
  read: readMessage,
  assemble: assembleMessage,
  delta: messageDelta,
});

/**
 * The official SDK without its own retries, its log and its settings from the environment or from disk.
 * Loaded with the first call.
 */
async function send({
  entry,
  apiKey,
  request,
  reasoningParams,
  fetch,
  headers,
  signal,
  timeoutMs,
}: Sending): Promise<unknown> {
  const { default: Client } = await import('@anthropic-ai/sdk');
  const client = new Client({
    apiKey: apiKey ?? 'none',
    webhookKey: null,
    // The SDK adds the version to the path itself.
    baseURL: entry.baseUrl.replace(/\/v1$/, ''),
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: 'off',
    fetch,
    defaultHeaders: { ...headers, ...(apiKey === null && { Authorization: null, 'X-Api-Key': null }) },
  });
  return client.messages.create(messagesRequest(entry, request, reasoningParams), { signal }).asResponse();
}
