import type { GenerateContentParameters } from '@google/genai';
import type {
  Json,
  JsonObject,
  ModelMessage,
  ModelRequest,
  ModelToolCall,
  ModelToolSpec,
} from '@casefile/contracts';
import { isObject } from '../json-parts.js';
import type { ProviderEntry } from '../provider-entry.js';
import { itemsOf } from '../provider-state.js';

/** A request in the words of Gemini's generateContent: what the SDK is handed, and the parts it must not touch. */
export interface GeminiRequest {
  params: Pick<GenerateContentParameters, 'model' | 'contents'> & { config: JsonObject };
  /** Laid over the body that the SDK writes, which drops keys it does not know. */
  verbatim: JsonObject;
}

/**
 * `reasoningParams` go into `generationConfig` as they are (`thinkingConfig`); they cannot replace what the request
 * itself says.
 */
export function generateRequest(
  entry: ProviderEntry,
  request: ModelRequest,
  reasoningParams: JsonObject,
): GeminiRequest {
  const contents = turns(entry, request.messages);
  const generationConfig: JsonObject = {
    ...reasoningParams,
    maxOutputTokens: request.maxOutputTokens,
    ...(request.temperature !== undefined && entry.sendsTemperature && { temperature: request.temperature }),
    ...answerFormat(entry, request),
  };
  const system = request.messages.filter((message) => message.role === 'system');
  const tools = request.tools ?? [];
  const config = {
    ...(system.length > 0 && {
      systemInstruction: system.map((message) => message.content).join('\n\n'),
    }),
    ...(tools.length > 0 && { tools: [{ functionDeclarations: tools.map(declaration) }] }),
  };
  return { params: { model: entry.model, contents, config }, verbatim: { contents, generationConfig } };
}

interface Turn extends JsonObject {
  role: 'user' | 'model';
  parts: JsonObject[];
}

/** The results of one turn's tools are one message, or the model waits for the others. */
function turns(entry: ProviderEntry, messages: ModelMessage[]): Turn[] {
  const joined: Turn[] = [];
  const names = new Map<string, string>();
  for (const message of messages) {
    if (message.role === 'system') continue;
    if (message.role === 'assistant')
      for (const call of message.toolCalls ?? []) names.set(call.id, call.name);
    const role = message.role === 'assistant' ? 'model' : 'user';
    const parts = partsOf(entry, message, names);
    const last = joined.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else if (parts.length > 0) joined.push({ role, parts });
  }
  return joined;
}

function partsOf(entry: ProviderEntry, message: ModelMessage, names: Map<string, string>): JsonObject[] {
  if (message.role === 'tool') {
    const { toolCallId: id, content } = message;
    // A result is found by its name here; ids are newer.
    return [
      { functionResponse: { id, name: names.get(id) ?? 'unknown_tool', response: { output: content } } },
    ];
  }
  const verbatim = itemsOf(entry, message);
  if (Array.isArray(verbatim)) return verbatim.filter(isObject);
  const text = message.content === '' ? [] : [{ text: message.content }];
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return [...text, ...calls.map((call, i) => foreignCall(entry, call, i))];
}

/** From Gemini 3 on the first call of a turn must be signed; this stands for a turn of another provider. */
const UNSIGNED = 'skip_thought_signature_validator';
const NEEDS_SIGNATURE = /gemini-(?:[3-9]|\d\d)/;

function foreignCall(entry: ProviderEntry, call: ModelToolCall, i: number): JsonObject {
  const part = { functionCall: functionCall(call) };
  return i === 0 && NEEDS_SIGNATURE.test(entry.model) ? { ...part, thoughtSignature: UNSIGNED } : part;
}

function functionCall({ id, name, args }: ModelToolCall): JsonObject {
  return { id, name, args: isObject(args) ? args : { unparsed: args } };
}

function declaration({ name, description, parameters }: ModelToolSpec) {
  return { name, description, parametersJsonSchema: parameters };
}

/** Before Gemini 3 a call is refused that asks for JSON and offers functions: then the prompt alone asks for JSON. */
function answerFormat(
  entry: ProviderEntry,
  { answerSchema, tools = [] }: ModelRequest,
): Record<string, Json> {
  if (answerSchema === undefined || entry.structuredOutput === 'none' || tools.length > 0) return {};
  const json = { responseMimeType: 'application/json' };
  return entry.structuredOutput === 'json_object'
    ? json
    : { ...json, responseJsonSchema: answerSchema.schema };
}
