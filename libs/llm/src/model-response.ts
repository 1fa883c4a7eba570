import { isObject, asCasefileError, CasefileError, UnusableAnswer } from '@casefile/contracts';
import type { Json, JsonObject, ModelMessage, ModelResponse } from '@casefile/contracts';
import type { RawAnswer } from './exchange.js';
import { isFailure, readFailure } from './failure-body.js';
import { httpError } from './http-failure.js';
import { partOf } from './json-parts.js';
import { costOf } from './pricing.js';
import type { ModelParts } from './provider.js';
import type { ProviderEntry } from './provider-entry.js';
import { providerState } from './provider-state.js';
import type { Assembled, Reader, Reading } from './reading.js';
import { extractReasoning } from './reasoning.js';
import { storable, storableText } from './storable.js';
import { namedCalls, withinSize } from './tool-calls.js';

/** Larger bodies are kept as a beginning and their length. */
const RAW_CHARACTERS = 1_000_000;
const EXCERPT_CHARACTERS = 64_000;

/**
 * Makes of a response, whatever it was, the port's answer. `asked` are the messages it answers.
 * An answer that was cut by its length limit is an answer, and one that has only reasoning too: both are the
 * caller's to judge, and stay on the record.
 * @throws UnusableAnswer `empty_answer`, `refused`, `cut_answer`, `bad_answer`, `too_large`, with what came in it;
 * CasefileError for what the provider says in place of an answer.
 */
export function readAnswer(
  entry: ProviderEntry,
  answer: RawAnswer,
  reader: Reader,
  parts: ModelParts,
  asked: ModelMessage[] = [],
): ModelResponse {
  if (answer.status < 200 || answer.status > 299) throw failureOf(entry, answer, answer.text, parts);
  const { body, ended } = bodyOf(entry, answer, reader);
  const failure = failureIn(body, answer);
  if (failure !== null && answer.events === null) throw failureOf(entry, answer, failure, parts);
  const reading = readingOf(entry, body, reader, parts, asked);
  if (failure !== null)
    throw withResponse(failureOf(entry, answer, failure, parts), responseOf(entry, reading, body, parts));
  if (answer.incomplete === 'too_large') throw tooLarge(entry, responseOf(entry, reading, body, parts));
  if (!ended) throw cut(entry, responseOf(entry, reading, body, parts));
  if (reading === null) throw bad(entry, `is no answer of ${entry.protocol}`, body);
  const response = responseOf(entry, reading, body, parts);
  rejectNoAnswer(entry, response, reading);
  return response;
}

function bodyOf(entry: ProviderEntry, answer: RawAnswer, reader: Reader): { body: Json; ended: boolean } {
  if (answer.events !== null) {
    const { body, ended, unread } = assembled(answer.events, reader);
    const whole = answer.brokenEvents.length === 0 && answer.incomplete === null;
    const left = [...unread, ...answer.brokenEvents];
    const said = (ended || answer.endMarked) && whole;
    const all = left.length === 0 ? body : marked(body, { [UNREAD_EVENTS]: left });
    return { body: storable(all), ended: said };
  }
  const text = answer.text;
  try {
    return { body: storable(JSON.parse(text) as Json), ended: true };
  } catch {
    if (answer.incomplete === null && text.trim() === '') throw empty(entry);
    const unread: Json = { couldNotBeRead: true, text: excerpt(text) };
    if (answer.incomplete === null && !/json/i.test(answer.contentType))
      throw bad(entry, `is ${answer.contentType || 'of no content type'}, not JSON`, unread);
    return { body: unread, ended: false };
  }
}

/** Our own remark in the body of a streamed answer. */
const UNREAD_EVENTS = 'unreadEvents';

function assembled(events: Json[], reader: Reader): Assembled {
  try {
    return reader.assemble(events);
  } catch {
    // Total by contract; should one not be, its events are the record.
    return { body: {}, ended: false, unread: events };
  }
}

/** Routers answer 200 with an error inside; streams end with one. */
function failureIn(body: Json, answer: RawAnswer): string | null {
  const failed = answer.events?.find(isFailure) ?? (isFailure(body) ? body : undefined);
  return failed === undefined ? null : JSON.stringify(storable(failed));
}

function failureOf(entry: ProviderEntry, answer: RawAnswer, text: string, parts: ModelParts): CasefileError {
  const { message, codes, status, retryAfterMs } = readFailure(text);
  // Some providers repeat the key they refuse.
  const said = parts.apiKey === null ? message : message.replaceAll(parts.apiKey, '(key)');
  const failed = answer.status > 299 ? answer.status : (status ?? 502);
  const failure = { provider: entry.name, status: failed, codes, message: said, headers: answer.headers };
  return httpError({ ...failure, retryAfterMs }, parts.clock.now());
}

/** A stream that fails may have brought, and cost, something before. */
function withResponse(error: CasefileError, response: ModelResponse): CasefileError {
  const { reasonCode, message, retryable, retryAfterMs, details } = error;
  const facts = { retryable, details, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return new UnusableAnswer(reasonCode, message, response, facts);
}

function readingOf(
  entry: ProviderEntry,
  body: Json,
  reader: Reader,
  parts: ModelParts,
  asked: ModelMessage[],
): Reading | null {
  try {
    const reading = reader.read(body, entry.model);
    if (reading === null) return null;
    const toolCalls = namedCalls(reading.toolCalls.map(withinSize), asked);
    // What goes back word for word would bring it all along.
    const isCut = toolCalls.some(({ cutFrom }) => cutFrom !== undefined);
    return { ...reading, toolCalls, ...(isCut && { items: null }) };
  } catch (thrown) {
    parts.log.error({ provider: entry.name, err: thrown }, 'The answer could not be read');
    throw bad(entry, `could not be read: ${asCasefileError(thrown).message}`, body);
  }
}

function responseOf(
  entry: ProviderEntry,
  reading: Reading | null,
  body: Json,
  parts: ModelParts,
): ModelResponse {
  if (reading === null) return unreadable(entry, body);
  const { content, reasoning, error } = extractReasoning(
    reading.text,
    reading.reasoning,
    entry.reasoningTags,
  );
  if (error !== undefined)
    parts.log.error({ provider: entry.name, reasonCode: error.reasonCode, err: error }, error.message);
  const model = reading.model || entry.model;
  const unread = [...reading.unread, ...(partOf(body, UNREAD_EVENTS) === undefined ? [] : [UNREAD_EVENTS])];
  return {
    provider: entry.name,
    model,
    content,
    toolCalls: reading.toolCalls,
    finishReason: reading.finishReason,
    usage: reading.usage ?? NOTHING_SAID,
    reasoning,
    raw: kept(body),
    costUsd: reading.usage === null ? null : costOf(entry, model, reading.usage),
    ...(reading.items !== null && { providerState: providerState(entry, reading.items) }),
    ...(unread.length > 0 && { unread }),
  };
}

const NOTHING_SAID = { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0 };

/** What there is to record of an answer that could not be read: all of it, raw. */
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

/** A remark of ours beside what the provider sent. */
export function marked(body: Json, remark: JsonObject): Json {
  return { ...(isObject(body) ? body : { body }), ...remark };
}
