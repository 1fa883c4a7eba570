import type {
  EasyInputMessage,
  FunctionTool,
  ResponseCreateParamsNonStreaming,
  ResponseCreateParamsStreaming,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import type { JsonObject, ModelMessage, ModelRequest, ModelToolSpec } from '@casefile/contracts';
import { listOf } from '../json-parts.js';
import type { ProviderEntry } from '../provider-entry.js';
import { itemsOf } from '../provider-state.js';
import { isStrictSchema } from '../strict-schema.js';

/**
 * A request in the words of the Responses API. Nothing is stored at the provider, so its reasoning is asked for in
 * encrypted form, to go back with the next turn. `reasoningParams` are added as they are; they cannot replace what the
 * request itself says.
 */
export function responsesRequest(
  entry: ProviderEntry,
  request: ModelRequest,
  reasoningParams: JsonObject,
): ResponseCreateParamsNonStreaming | ResponseCreateParamsStreaming {
  const thinks = Object.keys(reasoningParams).length > 0;
  return {
    // A model that cannot reason refuses to be asked for it: this goes when the parameters go.
    ...(thinks && { include: ['reasoning.encrypted_content'] }),
    ...reasoningParams,
    model: entry.model,
    input: request.messages.flatMap((message) => inputItems(entry, message)),
    ...(request.tools !== undefined &&
      request.tools.length > 0 && { tools: request.tools.map(responsesTool) }),
    ...answerFormat(entry, request),
    max_output_tokens: request.maxOutputTokens,
    ...(request.temperature !== undefined && entry.sendsTemperature && { temperature: request.temperature }),
    store: false,
    stream: entry.stream,
  };
}

function inputItems(entry: ProviderEntry, message: ModelMessage): ResponseInputItem[] {
  if (message.role === 'tool')
    return [{ type: 'function_call_output', call_id: message.toolCallId, output: message.content }];
  if (message.role !== 'assistant') return [{ role: message.role, content: message.content }];
  const verbatim = itemsOf(entry, message);
  // They came from this API as they are.
  if (verbatim !== undefined) return listOf(verbatim) as unknown as ResponseInputItem[];
  const said: EasyInputMessage[] =
    message.content === '' ? [] : [{ role: 'assistant', content: message.content }];
  const calls = (message.toolCalls ?? []).map(({ id, name, args }) => ({
    type: 'function_call' as const,
    call_id: id,
    name,
    arguments: typeof args === 'string' ? args : JSON.stringify(args),
  }));
  return [...said, ...calls];
}

function responsesTool({ name, description, parameters }: ModelToolSpec): FunctionTool {
  // Strict is this API's default, and not every tool's schema is.
  return { type: 'function', name, description, parameters, strict: isStrictSchema(parameters) };
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
