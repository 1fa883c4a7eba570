import { readGenerated, assembleGenerated, generatedDelta } from '../gemini/generate-response.js';
import { makeAdapter, type Sending } from '../make-adapter.js';
import type { MakeModel } from '../provider.js';
import type { GenerateContentParameters } from '@google/genai';
import {
  isObject,
  type Json,
  type JsonObject,
  type ModelMessage,
  type ModelRequest,
  type ModelToolCall,
  type ModelToolSpec,
} from '@casefile/contracts';
import { partOf, textIn } from '../json-parts.js';
import type { ProviderEntry } from '../provider-entry.js';
import { stateItems } from '../provider-state.js';
import { argumentsBack, messageCallIds, requiresCall } from '../tool-calls.js';

/**
 * A request of Gemini's generateContent: the part passed to the SDK, and the parts that the SDK must not
 * change.
 */
interface GeminiRequest {
  params: Pick<GenerateContentParameters, 'model' | 'contents'> & { config: JsonObject };
  /** Merged over the body that the SDK writes, because the SDK drops unknown keys. */
  verbatim: JsonObject;
}

/**
 * Builds a request. `reasoningParams` go into `generationConfig` unchanged (`thinkingConfig`); they cannot
 * replace fields of the request.
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
    ...(requiresCall(request) && { toolConfig: { functionCallingConfig: { mode: 'ANY' } } }),
  };
  return { params: { model: entry.model, contents, config }, verbatim: { contents, generationConfig } };
}

interface Turn extends JsonObject {
  role: 'user' | 'model';
  parts: JsonObject[];
}

/** The results of one turn's tools are one message; otherwise the model waits for the missing results. */
function turns(entry: ProviderEntry, messages: ModelMessage[]): Turn[] {
  const joined: Turn[] = [];
  let calls: ModelToolCall[] = [];
  const ordered = inOrderOfCalls(messages);
  const ids = messageCallIds(ordered, { idsOf: (message) => givenIds(entry, message) });
  for (const [at, message] of ordered.entries()) {
    if (message.role === 'system') continue;
    if (message.role === 'assistant') calls = message.toolCalls ?? [];
    const role = message.role === 'assistant' ? 'model' : 'user';
    const parts = turnParts(entry, message, ids[at] ?? [], calls);
    const last = joined.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else if (parts.length > 0) joined.push({ role, parts });
  }
  return joined;
}

/** Calls without ids are matched to their results by order. */
function inOrderOfCalls(messages: ModelMessage[]): ModelMessage[] {
  let order: string[] = [];
  const places = messages.map((message, at) => {
    if (message.role === 'assistant') order = (message.toolCalls ?? []).map(({ id }) => id);
    const within = message.role === 'tool' ? order.indexOf(message.toolCallId) : 0;
    return { message, at, within: within < 0 ? order.length : within };
  });
  const together = (at: number) => messages.findLastIndex(({ role }, i) => i <= at && role !== 'tool');
  return places
    .toSorted((a, b) =>
      together(a.at) === together(b.at) && a.message.role === 'tool' && b.message.role === 'tool'
        ? a.within - b.within || a.at - b.at
        : a.at - b.at,
    )
    .map(({ message }) => message);
}

function verbatimTurn(entry: ProviderEntry, message: ModelMessage): JsonObject[] | null {
  const items = stateItems(entry, message);
  return Array.isArray(items) ? items.filter(isObject) : null;
}

function givenIds(entry: ProviderEntry, message: ModelMessage): string[] | null {
  const calls = verbatimTurn(entry, message)?.filter(({ functionCall }) => isObject(functionCall));
  return calls?.map((part) => textIn(partOf(part, 'functionCall'), 'id')) ?? null;
}

/** The part as received, except arguments that are not an object: the API would refuse them. */
function verbatimPart(part: JsonObject): JsonObject {
  const { functionCall: call } = part;
  return isObject(call) ? { ...part, functionCall: { ...call, args: argumentsBack(call.args ?? {}) } } : part;
}

function turnParts(
  entry: ProviderEntry,
  message: ModelMessage,
  ids: string[],
  requested: ModelToolCall[],
): JsonObject[] {
  if (message.role === 'tool')
    return [{ functionResponse: toolResultPart(message, ids[0] ?? '', requested) }];
  const verbatim = verbatimTurn(entry, message);
  if (verbatim !== null) return verbatim.map(verbatimPart);
  const text = message.content === '' ? [] : [{ text: message.content }];
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return [...text, ...calls.map((call, i) => foreignCall(entry, { ...call, id: ids[i] ?? call.id }, i))];
}

/** A result refers to its call by name and, if the model gave an id, by id. */
function toolResultPart(
  { toolCallId, content, isError = false }: Extract<ModelMessage, { role: 'tool' }>,
  id: string,
  calls: ModelToolCall[],
): JsonObject {
  const name = calls.find((call) => call.id === toolCallId)?.name ?? 'unknown_tool';
  const response: JsonObject = isError ? { error: content } : { output: content };
  return { ...(id !== '' && { id }), name, response };
}

/**
 * From Gemini 3 on, the first call of a turn must be signed. This value replaces the missing signature if
 * another provider made the turn.
 */
const UNSIGNED = 'skip_thought_signature_validator';
const NEEDS_SIGNATURE = /gemini-(?:[3-9]|\d\d)/;

function foreignCall(entry: ProviderEntry, call: ModelToolCall, i: number): JsonObject {
  const part = { functionCall: functionCall(call) };
  return i === 0 && NEEDS_SIGNATURE.test(entry.model) ? { ...part, thoughtSignature: UNSIGNED } : part;
}

function functionCall({ id, name, args }: ModelToolCall): JsonObject {
  return { id, name, args: argumentsBack(args) };
}

function declaration({ name, description, parameters }: ModelToolSpec) {
  return { name, description, parametersJsonSchema: parameters };
}

/**
 * Models before Gemini 3 refuse a call that has both a JSON format and functions. Then only the prompt asks
 * for JSON.
 */
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

/** Gemini's generateContent. */
export const gemini: MakeModel = makeAdapter({
  send,
  read: readGenerated,
  assemble: assembleGenerated,
  delta: generatedDelta,
});

/**
 * The official SDK without its settings from the environment. By default it does not retry. Loaded with the
 * first call.
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
  const versioned = /\/v\d+(?:(?:alpha|beta)\d*)?$/.test(entry.baseUrl);
  const { GoogleGenAI } = await import('@google/genai');
  const client = new GoogleGenAI({
    apiKey: apiKey ?? 'none',
    vertexai: false,
    apiVersion: versioned ? '' : 'v1beta',
  });
  const { params, verbatim } = generateRequest(entry, request, reasoningParams);
  const httpOptions = { baseUrl: entry.baseUrl, headers, timeout: timeoutMs, extraBody: verbatim, fetch };
  const config = { ...params.config, abortSignal: signal, httpOptions };
  const call = { ...params, config };
  return entry.stream ? client.models.generateContentStream(call) : client.models.generateContent(call);
}
