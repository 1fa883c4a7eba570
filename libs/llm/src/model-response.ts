import {
  isObject,
  asCasefileError,
  CasefileError,
  MOST_ANSWER_VALUES,
  parseBounded,
  UnusableAnswer,
  type Json,
  type JsonObject,
  type ModelRequest,
  type ModelResponse,
  type ModelToolCall,
} from '@casefile/contracts';
import { estimateInputTokens, estimateTextTokens } from './estimate-input-tokens.js';
import type { RawAnswer } from './exchange.js';
import { isFailure, readFailure, httpError } from './http-failure.js';
import { partOf } from './json-parts.js';
import { callCost } from './pricing.js';
import type { ModelParts } from './provider.js';
import type { ProviderEntry } from './provider-entry.js';
import { providerState } from './provider-state.js';
import type { AssembledAnswer, Reader, Reading } from './reading.js';
import { callsInText, marksCalls, toolNameFor, type CallsInText } from './offered-tools.js';
import { extractReasoning, type ExtractedAnswer } from './reasoning.js';
import { storable, storableText } from './storable.js';
import { namedCalls, withinSize } from './tool-calls.js';

/** Maximum length of a recorded body. Of a longer body only the beginning and the length are recorded. */
const RAW_CHARACTERS = 1_000_000;
const EXCERPT_CHARACTERS = 64_000;

/**
 * Converts the raw answer of any provider to the port's `ModelResponse`. An answer that its length limit cut
 * after some text or reasoning is returned, and so is one that contains only reasoning. The caller judges both,
 * and both are recorded.
 * @throws UnusableAnswer `empty_answer`, `refused`, `cut_answer`, `bad_answer`, `too_large`, with the
 * received content; CasefileError for an error that the provider returns in place of an answer.
 */
export function readAnswer(
  entry: ProviderEntry,
  answer: RawAnswer,
  reader: Reader,
  parts: ModelParts,
  request: AnsweredRequest = { messages: [] },
): ModelResponse {
  if (answer.status < 200 || answer.status > 299) throw answerFailure(entry, answer, answer.text, parts);
  const { body, ended } = answerBody(entry, answer, reader);
  const failure = failureIn(body, answer);
  if (failure !== null && answer.events === null) throw answerFailure(entry, answer, failure, parts);
  const reading = providerEntryReading(entry, body, reader, parts, request);
  const responded = () => toModelResponse(entry, reading, body, parts, request);
  if (failure !== null) throw withResponse(answerFailure(entry, answer, failure, parts), responded());
  if (answer.incomplete === 'too_large') throw tooLarge(entry, responded());
  if (!ended) throw cut(entry, responded());
  if (reading === null) throw bad(entry, `is no answer of ${entry.protocol}`, body);
  const response = withUsage(entry, responded(), reading, request);
  rejectFailure(entry, response, reading, (said) => answerFailure(entry, answer, said, parts));
  rejectNoAnswer(entry, response, reading);
  return response;
}

function answerBody(entry: ProviderEntry, answer: RawAnswer, reader: Reader): { body: Json; ended: boolean } {
  if (answer.events !== null) {
    const { body, ended, unread } = assembledEvents(answer.events, reader);
    const whole = answer.brokenEvents.length === 0 && answer.incomplete === null;
    const left = [...unread, ...answer.brokenEvents];
    const said = (ended || answer.endMarked) && whole;
    const all = left.length === 0 ? body : markResponse(body, { [UNREAD_EVENTS]: left });
    return { body: storable(all), ended: said };
  }
  const text = answer.text;
  try {
    return { body: storable(parseBounded(text, 'The answer')), ended: true };
  } catch (error) {
    if (error instanceof CasefileError)
      throw bad(entry, `has more than ${MOST_ANSWER_VALUES} values`, {
        couldNotBeRead: true,
        text: excerpt(text),
      });
    if (answer.incomplete === null && text.trim() === '') throw empty(entry);
    const unread: Json = { couldNotBeRead: true, text: excerpt(text) };
    if (answer.incomplete === null && !/json/i.test(answer.contentType))
      throw bad(entry, `is ${answer.contentType || 'of no content type'}, not JSON`, unread);
    return { body: unread, ended: false };
  }
}

/** Key that Casefile adds to the body of a streamed answer: the events that could not be read. */
const UNREAD_EVENTS = 'unreadEvents';

function assembledEvents(events: Json[], reader: Reader): AssembledAnswer {
  try {
    return reader.assemble(events);
  } catch {
    // Only a defect in a reader leads here. The answer then counts as cut, and its raw events are recorded.
    return { body: {}, ended: false, unread: events };
  }
}

/**
 * Returns the error in a body with status 200, as JSON; null: there is none. Routers answer 200 with an error
 * in the body, and streams may end with an error event.
 */
function failureIn(body: Json, answer: RawAnswer): string | null {
  const failed = answer.events?.find(isFailure) ?? (isFailure(body) ? body : undefined);
  return failed === undefined ? null : JSON.stringify(storable(failed));
}

function answerFailure(
  entry: ProviderEntry,
  answer: RawAnswer,
  text: string,
  parts: ModelParts,
): CasefileError {
  const { message, codes, status, retryAfterMs } = readFailure(text);
  // Some providers repeat the refused key in their message, and messages are stored and shown.
  const said = parts.apiKey === null ? message : message.replaceAll(parts.apiKey, '(key)');
  const failed = answer.status > 299 ? answer.status : (status ?? 502);
  const failure = { provider: entry.name, status: failed, codes, message: said, headers: answer.headers };
  return httpError({ ...failure, retryAfterMs }, parts.clock.now());
}

/**
 * Returns the error with the received part of the answer. A stream that fails may already have charged for
 * this part, so it is recorded and counted.
 */
function withResponse(error: CasefileError, response: ModelResponse): CasefileError {
  const { reasonCode, message, retryable, retryAfterMs, details } = error;
  const facts = { retryable, details, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return new UnusableAnswer(reasonCode, message, response, facts);
}

function providerEntryReading(
  entry: ProviderEntry,
  body: Json,
  reader: Reader,
  parts: ModelParts,
  request: AnsweredRequest,
): Reading | null {
  const { messages, tools = [] } = request;
  try {
    const reading = reader.read(body, entry.model);
    if (reading === null) return null;
    const offered = reading.toolCalls.map((call) => ({ ...call, name: toolNameFor(call.name, tools) }));
    const toolCalls = namedCalls(offered.map(withinSize), messages);
    const answer = answerInCall(reading, toolCalls, request);
    if (answer !== null)
      return { ...reading, text: answer, toolCalls: [], finishReason: 'stop', items: null };
    // `items` are sent back verbatim in the next turn. They are dropped if arguments were cut, because they
    // contain the oversized originals.
    const isCut = toolCalls.some(({ cutFrom }) => cutFrom !== undefined);
    return { ...reading, toolCalls, ...(isCut && { items: null }) };
  } catch (thrown) {
    parts.log.error({ provider: entry.name, err: thrown }, 'The answer could not be read');
    throw bad(entry, `could not be read: ${asCasefileError(thrown).message}`, body);
  }
}

function toModelResponse(
  entry: ProviderEntry,
  reading: Reading | null,
  body: Json,
  parts: ModelParts,
  request: AnsweredRequest,
): ModelResponse {
  if (reading === null) return unreadable(entry, body);
  const extracted = extractReasoning(reading.text, reading.reasoning, entry.reasoningTags);
  const { reasoning, error } = extracted;
  const inText = reading.toolCalls.length > 0 ? null : callsWithin(entry, extracted, request, parts);
  if (error !== undefined)
    parts.log.error({ provider: entry.name, reasonCode: error.reasonCode, err: error }, error.message);
  const model = reading.model || entry.model;
  const unread = [...reading.unread, ...(partOf(body, UNREAD_EVENTS) === undefined ? [] : [UNREAD_EVENTS])];
  return {
    provider: entry.name,
    model,
    content: inText?.content ?? extracted.content,
    toolCalls: inText?.calls ?? reading.toolCalls,
    finishReason: reading.finishReason,
    usage: reading.usage ?? NOTHING_SAID,
    reasoning,
    raw: inText === null ? kept(body) : markResponse(kept(body), { toolCallsInText: true }),
    costUsd: reading.usage === null ? null : callCost(entry, model, reading.usage),
    // Calls found in the text have no counterpart in the provider's items. If the items were sent back, the
    // results would refer to unknown calls, so the items are left out.
    ...(reading.items !== null && inText === null && { providerState: providerState(entry, reading.items) }),
    ...(unread.length > 0 && { unread }),
  };
}

/** Parts of the request needed to read its answer. */
type AnsweredRequest = Pick<ModelRequest, 'messages' | 'tools' | 'answerSchema'>;

/**
 * Returns the answer that a gateway sends as the only call of a tool that was not offered (LiteLLM: `json_tool_call`),
 * or null. A request for an answer in a schema offers no such tool, so the arguments are the answer.
 */
function answerInCall(
  { text }: Reading,
  [call, ...more]: readonly ModelToolCall[],
  { tools = [], answerSchema }: AnsweredRequest,
): string | null {
  if (answerSchema === undefined || call === undefined || more.length > 0 || text.trim() !== '') return null;
  const isOffered = tools.some(({ name }) => name === call.name);
  return isOffered || !isObject(call.args) ? null : JSON.stringify(call.args);
}

/**
 * Estimates the usage of an answer whose provider reports none, or no counts, from the texts of request and answer. The
 * estimate is marked in the recorded body. An answer without content is left to the worst case of budgets.
 */
function withUsage(
  entry: ProviderEntry,
  response: ModelResponse,
  { usage }: Reading,
  request: AnsweredRequest,
): ModelResponse {
  const { content, toolCalls, reasoning, model, raw } = response;
  const thought = reasoning?.content ?? '';
  if (usage !== null || (content === '' && thought === '' && toolCalls.length === 0)) return response;
  const tokensOf = (text: string) => (text === '' ? 0 : estimateTextTokens(text));
  const reasoningTokens = tokensOf(thought);
  const said = tokensOf(content) + tokensOf(toolCalls.length === 0 ? '' : JSON.stringify(toolCalls));
  const estimated = {
    inputTokens: estimateInputTokens(request),
    outputTokens: said + reasoningTokens,
    reasoningTokens,
    cachedTokens: 0,
  };
  return {
    ...response,
    usage: estimated,
    costUsd: callCost(entry, model, estimated),
    raw: markResponse(raw, { usageEstimated: true }),
  };
}

const UNPARSED_CALLS =
  'The server returns calls of tools as text: start it with its parser for them (vLLM: --enable-auto-tool-choice and --tool-call-parser; SGLang: --tool-call-parser; llama.cpp: --jinja)';

/** Tool calls in the text of an answer or, if there is no text, in the reasoning. */
function callsWithin(
  entry: ProviderEntry,
  { content, reasoning }: ExtractedAnswer,
  { messages, tools = [] }: AnsweredRequest,
  { log }: ModelParts,
): CallsInText | null {
  if (tools.length === 0) return null;
  const text = content.trim() === '' ? (reasoning?.content ?? '') : content;
  const textCalls = callsInText(text, tools);
  if (textCalls !== null || marksCalls(text) !== null)
    log.warn({ provider: entry.name, model: entry.model, read: textCalls !== null }, UNPARSED_CALLS);
  if (textCalls === null) return null;
  const calls = namedCalls(textCalls.calls.map(withinSize), messages);
  return { calls, content: content.trim() === '' ? '' : textCalls.content };
}

const NOTHING_SAID = { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0 };

/** Returns the response for an answer that could not be read. Only its raw body is recorded. */
function unreadable(entry: ProviderEntry, body: Json): ModelResponse {
  return {
    provider: entry.name,
    model: entry.model,
    content: '',
    toolCalls: [],
    finishReason: 'unknown',
    usage: NOTHING_SAID,
    reasoning: null,
    raw: kept(body),
    costUsd: null,
    unread: ['body'],
  };
}

const THOUGHTS_TOOK_ALL =
  "The answer was cut before its first word: the model's thoughts took all of the limit. Raise `thinkingRoom` of its provider";

/**
 * OpenRouter, GLM: an answer that ends with an error is a failure of its provider, even after partial
 * content.
 */
function rejectFailure(
  entry: ProviderEntry,
  response: ModelResponse,
  { failure }: Reading,
  errorOf: (said: string) => CasefileError,
): void {
  if (failure !== undefined) throw withResponse(errorOf(JSON.stringify(failure)), response);
  if (!/(?:^|_)(?:error|failed)$/i.test(response.finishReason)) return;
  const message = `${entry.name} ended its answer with ${response.finishReason}`;
  throw new UnusableAnswer('server_error', message, response, { retryable: true });
}

function rejectNoAnswer(entry: ProviderEntry, response: ModelResponse, reading: Reading): void {
  if (reading.refusal !== '' || response.finishReason === 'content_filter') {
    const said = reading.refusal.slice(0, 500) || 'content filter';
    throw new UnusableAnswer('refused', `The model refused: ${said}`, response);
  }
  const thought = response.reasoning?.content ?? '';
  if (response.content.trim() !== '' || response.toolCalls.length > 0 || thought !== '') return;
  if (reading.unread.length > 0)
    throw new UnusableAnswer(
      'bad_answer',
      `The answer of ${entry.name} has only parts that are not known: ${reading.unread.join(', ').slice(0, 500)}`,
      response,
      { retryable: true },
    );
  if (response.finishReason === 'length')
    throw new UnusableAnswer('cut_answer', THOUGHTS_TOOK_ALL, response, { retryable: true });
  throw new UnusableAnswer('empty_answer', 'The model answered nothing', response, { retryable: true });
}

function empty(entry: ProviderEntry): CasefileError {
  return new CasefileError('empty_answer', `${entry.name} sent an empty body`, { retryable: true });
}

function cut(entry: ProviderEntry, response: ModelResponse): CasefileError {
  return new UnusableAnswer('cut_answer', `The answer of ${entry.name} is not whole`, response, {
    retryable: true,
  });
}

function tooLarge(entry: ProviderEntry, response: ModelResponse): CasefileError {
  const limit = entry.limits.responseBytes;
  return new UnusableAnswer(
    'too_large',
    `The answer of ${entry.name} is larger than ${limit} bytes`,
    response,
  );
}

function bad(entry: ProviderEntry, what: string, body: Json): CasefileError {
  return new UnusableAnswer('bad_answer', `The answer of ${entry.name} ${what}`, unreadable(entry, body), {
    retryable: true,
  });
}

function kept(body: Json): Json {
  const text = JSON.stringify(body);
  if (text.length <= RAW_CHARACTERS) return body;
  return { bodyLeftOut: true, characters: text.length, beginning: excerpt(text) };
}

function excerpt(text: string): string {
  return storableText(text.slice(0, EXCERPT_CHARACTERS));
}

/** Returns the provider's body with fields that Casefile adds. */
export function markResponse(body: Json, remark: JsonObject): Json {
  return { ...(isObject(body) ? body : { body }), ...remark };
}
