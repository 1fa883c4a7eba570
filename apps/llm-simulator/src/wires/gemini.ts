import { isObject, jsonObjectSchema, jsonSchema, parseInput, z } from '@casefile/contracts';
import type { Json, JsonObject } from '@casefile/contracts';
import { callArguments, answerFinish, answerReasoning } from '../answer.js';
import type { Answer } from '../answer.js';
import { pieces } from '../pieces.js';
import type { Question, Turn } from '@casefile/kit/demonstration/question';
import { seal } from '../seal.js';
import { answerUsage } from '../usage-of.js';
import { contentSchema, type GeminiContent } from './gemini-content.js';
import { checkContents } from './gemini-history.js';
import { textOfContent, wordOf } from './text-of-content.js';
import { headerBearer, dataEvent, headerOf, keyFits, MODEL, refusal, refuseUnknown } from './wire.js';
import type { Exchange, Failure, Wire, WireCall, WireContext } from './wire.js';

const PATH = /^\/v1(?:beta|alpha)?\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;
const KNOWN =
  'model contents systemInstruction system_instruction tools toolConfig tool_config safetySettings generationConfig cachedContent serviceTier labels store'.split(
    ' ',
  );
const KNOWN_CONFIG =
  'stopSequences responseMimeType responseSchema responseJsonSchema _responseJsonSchema responseModalities candidateCount maxOutputTokens temperature topP topK seed presencePenalty frequencyPenalty responseLogprobs logprobs enableEnhancedCivicAnswers speechConfig thinkingConfig imageConfig mediaResolution'.split(
    ' ',
  );
const STATUSES: Record<number, string> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  504: 'DEADLINE_EXCEEDED',
};
const FINISH_REASONS: Record<string, string> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  refusal: 'SAFETY',
  content_filter: 'SAFETY',
};

const declarationSchema = z.looseObject({
  name: z.string(),
  parameters: jsonObjectSchema.optional(),
  parametersJsonSchema: jsonObjectSchema.optional(),
});
const requestSchema = z.looseObject({
  contents: z.array(contentSchema).min(1),
  systemInstruction: z.looseObject({ parts: jsonSchema }).optional(),
  tools: z.array(z.looseObject({ functionDeclarations: z.array(declarationSchema).optional() })).optional(),
  toolConfig: z
    .looseObject({ functionCallingConfig: z.looseObject({ mode: z.string().optional() }).optional() })
    .optional(),
  generationConfig: z
    .looseObject({
      maxOutputTokens: z.number().int().min(1).optional(),
      responseMimeType: z.string().optional(),
      responseSchema: jsonObjectSchema.optional(),
      responseJsonSchema: jsonObjectSchema.optional(),
      thinkingConfig: z
        .looseObject({ includeThoughts: z.boolean().optional(), thinkingBudget: z.number().optional() })
        .optional(),
    })
    .optional(),
});
type GeminiRequest = z.infer<typeof requestSchema>;

/** `POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent`, as Google documents them. */
export const gemini: Wire = {
  protocol: 'gemini',
  serves: (path) => PATH.test(path),
  read(call, context) {
    checkGeminiKey(call, context);
    const unknown = (key: string) =>
      `Invalid JSON payload received. Unknown name "${key}": Cannot find field.`;
    refuseUnknown(call.body, KNOWN, unknown);
    const request = parseInput(requestSchema, call.body, 'request');
    refuseUnknown((request.generationConfig ?? {}) as JsonObject, KNOWN_CONFIG, unknown);
    const [, model = '', method] = PATH.exec(call.path) ?? [];
    checkContents(request.contents, model);
    return exchangeFor(request, method === 'streamGenerateContent', call.query.get('alt') === 'sse');
  },
  failure: googleFailure,
  lateFailure: (failure) => dataEvent(googleFailure(failure)),
};

function googleFailure(failure: Failure): JsonObject {
  const error = {
    code: failure.status,
    message: failure.message ?? `Simulated failure ${failure.status}.`,
    status: STATUSES[failure.status] ?? (failure.status < 500 ? 'INVALID_ARGUMENT' : 'UNAVAILABLE'),
    ...failureDetails(failure),
  };
  return { error };
}

function checkGeminiKey({ headers, query }: WireCall, context: WireContext): void {
  const key = headerOf(headers, 'x-goog-api-key') ?? query.get('key') ?? headerBearer(headers);
  if (key === undefined)
    throw refusal("Method doesn't allow unregistered callers. Please use API Key.", { status: 403 });
  if (!keyFits(context, key))
    throw refusal('API key not valid. Please pass a valid API key.', { code: 'API_KEY_INVALID' });
}

/**
 * The quota's name distinguishes a daily limit from a limit per minute. The retry delay is also in the body.
 */
function failureDetails({ status, code, retryAfterS }: Failure): JsonObject {
  const type = (name: string) => ({ '@type': `type.googleapis.com/google.rpc.${name}` });
  const period = code === 'insufficient_quota' ? 'Day' : 'Minute';
  const violation = { quotaId: `GenerateRequestsPer${period}PerProjectPerModel`, quotaValue: '0' };
  const details: JsonObject[] = [
    ...(status === 429 ? [{ ...type('QuotaFailure'), violations: [violation] }] : []),
    ...(retryAfterS === undefined ? [] : [{ ...type('RetryInfo'), retryDelay: `${retryAfterS}s` }]),
    ...(code === undefined ? [] : [{ ...type('ErrorInfo'), reason: code, domain: 'casefile-simulator' }]),
  ];
  return details.length === 0 ? {} : { details };
}

function questionOf(request: GeminiRequest, stream: boolean): Question {
  const { generationConfig: config = {}, systemInstruction, toolConfig } = request;
  const declared = (request.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? []);
  const schema = config.responseJsonSchema ?? config.responseSchema;
  const system: Turn[] = systemInstruction
    ? [{ role: 'system', text: textOfContent(systemInstruction.parts) }]
    : [];
  return {
    turns: [...system, ...request.contents.flatMap(geminiContentTurns)],
    tools: declared.map(({ name, parameters, parametersJsonSchema }) => {
      return { name, parameters: lowerTypes(parametersJsonSchema ?? parameters ?? {}) };
    }),
    mayCallTools: toolConfig?.functionCallingConfig?.mode !== 'NONE',
    mustCallTools: toolConfig?.functionCallingConfig?.mode === 'ANY',
    schema: schema === undefined ? undefined : lowerTypes(schema),
    json: config.responseMimeType === 'application/json',
    stream,
    limit: config.maxOutputTokens,
    thinks: config.thinkingConfig?.thinkingBudget !== 0,
  };
}

function geminiContentTurns({ role, parts }: GeminiContent): Turn[] {
  const resultTurns = parts
    .flatMap(({ functionResponse }) => (isObject(functionResponse) ? [functionResponse] : []))
    .map((result, index): Turn => {
      return { role: 'tool', text: textOfResult(result.response), callId: idOf(result, index) };
    });
  const calls = parts
    .flatMap(({ functionCall }) => (isObject(functionCall) ? [functionCall] : []))
    .map((call, index) => ({ id: idOf(call, index), name: wordOf(call.name), args: call.args ?? {} }));
  const visibleParts = parts.filter(({ thought }) => thought !== true);
  const text = textOfContent(visibleParts);
  if (text === '' && resultTurns.length > 0) return resultTurns;
  const speaker = role === 'model' ? 'assistant' : 'user';
  return [...resultTurns, { role: speaker, text, ...(calls.length > 0 && { calls }) }];
}

/** Results without ids are in the order of their calls. */
function idOf({ id }: JsonObject, index: number): string {
  return typeof id === 'string' && id !== '' ? id : `place ${index}`;
}

/** Returns the text under one of the documented keys; any other value as JSON. */
function textOfResult(response: Json | undefined): string {
  if (!isObject(response)) return '{}';
  const { output, error = output } = response;
  return typeof error === 'string' ? error : JSON.stringify(response);
}

/** Google's own schemas have type names in capitals. */
function lowerTypes(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, loweredKey(key, value)]));
}

function loweredKey(key: string, value: Json): Json {
  if (key === 'type' && typeof value === 'string') return value.toLowerCase();
  if (key === 'enum' || key === 'const') return value;
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? lowerTypes(item) : item));
  return isObject(value) ? lowerTypes(value) : value;
}

function exchangeFor(request: GeminiRequest, stream: boolean, sse: boolean): Exchange {
  const question = questionOf(request, stream);
  const shows = request.generationConfig?.thinkingConfig?.includeThoughts === true;
  const piece = (answer: Answer, n: number, parts: JsonObject[], last: boolean): JsonObject => {
    const content: JsonObject = { ...(parts.length > 0 && { parts }), role: 'model' };
    const finishReason = FINISH_REASONS[answerFinish(answer)] ?? answerFinish(answer);
    const refused: JsonObject = answer.refusal === undefined ? {} : { finishMessage: answer.refusal };
    const candidate: JsonObject = { content, ...(last ? { finishReason, ...refused } : {}), index: 0 };
    const usageMetadata = wireUsage(answer, question);
    return { candidates: [candidate], usageMetadata, modelVersion: MODEL, responseId: `simulated-${n}` };
  };
  return {
    question,
    whole: (answer, n) => piece(answer, n, answerParts(answer, shows), true),
    events(answer, n) {
      const parts = answerParts(answer, shows).flatMap(inPieces);
      const groups = parts.length === 0 ? [[]] : parts.map((part) => [part]);
      const bodies = groups.map((group, index) => piece(answer, n, group, index === groups.length - 1));
      return sse ? bodies.map(dataEvent) : asArray(bodies);
    },
  };
}

/** Without `alt=sse` a stream is one JSON array that grows. */
function asArray(bodies: JsonObject[]): string[] {
  return bodies.map((body, index) => {
    return `${index === 0 ? '[' : ',\n'}${JSON.stringify(body)}${index === bodies.length - 1 ? ']' : ''}`;
  });
}

function answerParts(answer: Answer, shows: boolean): JsonObject[] {
  const thoughts = answerReasoning(answer);
  const thoughtParts =
    shows && answer.redacted !== true ? thoughts.map((text) => ({ text, thought: true })) : [];
  const thoughtSignature = seal(thoughts.join('\n\n'));
  const calls = (answer.toolCalls ?? []).map((call, index): JsonObject => ({
    functionCall: { id: call.id, name: call.name, args: callArguments(call) },
    ...(index === 0 && { thoughtSignature }),
  }));
  const signed: JsonObject = thoughts.length > 0 && calls.length === 0 ? { thoughtSignature } : {};
  const text = answer.content === '' ? [] : [{ text: answer.content, ...signed }];
  return [...thoughtParts, ...text, ...calls];
}

/** Splits a text into pieces. The last piece has its signature. */
function inPieces(part: JsonObject): JsonObject[] {
  if (typeof part.text !== 'string') return [part];
  const { thoughtSignature, ...rest } = part;
  const texts = pieces(part.text);
  return texts.map((text, index) => ({
    ...rest,
    text,
    ...(index === texts.length - 1 && thoughtSignature !== undefined && { thoughtSignature }),
  }));
}

/** Reasoning tokens are counted separately from the answer's tokens. */
function wireUsage(answer: Answer, question: Question): JsonObject {
  const { input, output, reasoning, cached } = answerUsage(answer, question);
  return {
    promptTokenCount: input,
    candidatesTokenCount: Math.max(0, output - reasoning),
    totalTokenCount: input + output,
    ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
    ...(cached > 0 && { cachedContentTokenCount: cached }),
  };
}
