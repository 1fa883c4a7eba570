import type {
  ResponseCreateParams,
  EasyInputMessage,
  FunctionTool,
  ResponseCreateParamsNonStreaming,
  ResponseCreateParamsStreaming,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import { makeAdapter, type Sending } from '../make-adapter.js';
import type { MakeModel } from '../provider.js';
import { readResponses, assembleResponses, responsesDelta } from '../openai/responses-response.js';
import { openAi } from '../openai/send.js';
import type { Json, JsonObject, ModelMessage, ModelRequest, ModelToolSpec } from '@casefile/contracts';
import { listOf, textIn } from '../json-parts.js';
import type { ProviderEntry } from '../provider-entry.js';
import { stateItems } from '../provider-state.js';
import { isStrictSchema, isStrictTool } from '../strict-schema.js';
import { argumentsBack, messageCallIds, requiresCall } from '../tool-calls.js';

/**
 * Builds a request of the Responses API. The provider stores nothing, so its reasoning is requested in
 * encrypted form and sent back with the next turn. `reasoningParams` are added unchanged; they cannot replace
 * fields of the request.
 */
export function responsesRequest(
  entry: ProviderEntry,
  request: ModelRequest,
  reasoningParams: JsonObject,
): ResponseCreateParamsNonStreaming | ResponseCreateParamsStreaming {
  const ids = messageCallIds(request.messages, { idsOf: (message) => givenIds(entry, message) });
  const thinks = Object.keys(reasoningParams).length > 0;
  return {
    // A model without reasoning refuses this field, so it is left out together with the reasoning parameters.
    ...(thinks && { include: ['reasoning.encrypted_content'] }),
    ...reasoningParams,
    model: entry.model,
    input: request.messages.flatMap((message, at) => inputItems(entry, message, ids[at] ?? [])),
    ...(request.tools !== undefined &&
      request.tools.length > 0 && { tools: request.tools.map(responsesTool) }),
    ...(requiresCall(request) && { tool_choice: 'required' as const }),
    ...answerFormat(entry, request),
    max_output_tokens: request.maxOutputTokens,
    ...(request.temperature !== undefined && entry.sendsTemperature && { temperature: request.temperature }),
    store: false,
    stream: entry.stream,
  };
}

/** Items received from this API, unchanged. */
function verbatimTurn(entry: ProviderEntry, message: ModelMessage): Json[] | null {
  const items = stateItems(entry, message);
  return items === undefined ? null : listOf(items);
}

function givenIds(entry: ProviderEntry, message: ModelMessage): string[] | null {
  const calls = verbatimTurn(entry, message)?.filter((item) => textIn(item, 'type') === 'function_call');
  return calls?.map((item) => textIn(item, 'call_id') || textIn(item, 'id')) ?? null;
}

function inputItems(entry: ProviderEntry, message: ModelMessage, ids: string[]): ResponseInputItem[] {
  if (message.role === 'tool')
    return [{ type: 'function_call_output', call_id: ids[0] ?? message.toolCallId, output: message.content }];
  if (message.role !== 'assistant') return [{ role: message.role, content: message.content }];
  const verbatim = verbatimTurn(entry, message);
  if (verbatim !== null) return verbatim as unknown as ResponseInputItem[];
  const said: EasyInputMessage[] =
    message.content === '' ? [] : [{ role: 'assistant', content: message.content }];
  const calls = (message.toolCalls ?? []).map(({ id, name, args }, index) => ({
    type: 'function_call' as const,
    call_id: ids[index] ?? id,
    name,
    arguments: JSON.stringify(argumentsBack(args)),
  }));
  return [...said, ...calls];
}

function responsesTool({ name, description, parameters }: ModelToolSpec): FunctionTool {
  // This API defaults to strict, and not every tool's schema qualifies.
  return { type: 'function', name, description, parameters, strict: isStrictTool(parameters) };
}

function answerFormat(
  entry: ProviderEntry,
  { answerSchema }: ModelRequest,
): Pick<ResponseCreateParamsNonStreaming, 'text'> {
  if (answerSchema === undefined || entry.structuredOutput === 'none') return {};
  if (entry.structuredOutput === 'json_object') return { text: { format: { type: 'json_object' } } };
  const { name, schema } = answerSchema;
  return { text: { format: { type: 'json_schema', name, schema, strict: isStrictSchema(schema) } } };
}

/** OpenAI's Responses API, with storage at the provider switched off. */
export const openAiResponses: MakeModel = makeAdapter({
  send,
  read: readResponses,
  assemble: assembleResponses,
  delta: responsesDelta,
});

async function send(sending: Sending): Promise<unknown> {
  const { entry, request, reasoningParams, signal } = sending;
  const params: ResponseCreateParams = responsesRequest(entry, request, reasoningParams);
  const client = await openAi(sending);
  return client.responses.create(params, { signal }).asResponse();
}
