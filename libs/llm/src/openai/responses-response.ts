import {
  isObject,
  type Json,
  type ModelReasoning,
  type ModelToolCall,
  type ModelUsage,
  type JsonObject,
  type ModelDelta,
} from '@casefile/contracts';
import { areCounts, contentParts, countIn, listOf, partOf, textIn } from '../json-parts.js';
import { readArguments, type Reading, type AssembledAnswer } from '../reading.js';
import { isThoughtPart, thoughtText } from '../thought-parts.js';

/** Reads an answer of the Responses API. Returns null if the body is not one. */
export function readResponses(body: Json): Reading | null {
  const output = partOf(body, 'output');
  if (!Array.isArray(output)) return null;
  const parts = { text: [] as string[], refusal: [] as string[], calls: [] as ModelToolCall[] };
  const unread: string[] = [];
  output.forEach((item, index) => readItem(item, index, parts, unread));
  return {
    model: textIn(body, 'model'),
    text: parts.text.join(''),
    reasoning: () => readReasoning(output),
    toolCalls: parts.calls,
    finishReason: finishOf(body, parts.calls),
    usage: readUsage(partOf(body, 'usage')),
    refusal: parts.refusal.join('\n'),
    items: itemsOfTurn(output),
    unread,
  };
}

interface ResponseParts {
  text: string[];
  refusal: string[];
  calls: ModelToolCall[];
}

function readItem(item: Json, index: number, parts: ResponseParts, unread: string[]): void {
  const type = textIn(item, 'type');
  if (type !== 'message' && isThoughtPart(item)) return;
  if (type === 'message') return readMessage(item, index, parts, unread);
  const name = textIn(item, 'name');
  if (type !== 'function_call' || name === '') return void unread.push(`output[${index}] ${type}`.trim());
  const id = textIn(item, 'call_id') || textIn(item, 'id');
  const args = readArguments(partOf(item, 'arguments'));
  parts.calls.push({ id, name, args });
}

function readMessage(item: Json, index: number, parts: ResponseParts, unread: string[]): void {
  const content = partOf(item, 'content');
  contentParts(content).forEach((part, place) => {
    if (isThoughtPart(part)) return;
    const type = textIn(part, 'type');
    const refusal = textIn(part, 'refusal');
    const text = partOf(part, 'text');
    if (refusal !== '') parts.refusal.push(refusal);
    else if (typeof text === 'string') parts.text.push(text);
    else unread.push(`output[${index}].content[${place}] ${type}`.trim());
  });
}

/**
 * `summary[]` is the part that OpenAI discloses. `content[]` is the reasoning itself, from servers of open
 * models. Without either there may still be `encrypted_content`.
 */
function readReasoning(output: Json[]): ModelReasoning | null {
  const items = output.filter((item) => textIn(item, 'type') === 'reasoning');
  const raw = items.flatMap((item) => partTexts(partOf(item, 'content')));
  if (raw.length > 0) return { content: raw.join('\n\n'), kind: 'raw', source: 'reasoning.content' };
  const summary = items.flatMap((item) => partTexts(partOf(item, 'summary')));
  if (summary.length > 0)
    return { content: summary.join('\n\n'), kind: 'summary', source: 'reasoning.summary' };
  // Servers of open models put reasoning into the message, or use another item type.
  const others = output.flatMap((item) =>
    textIn(item, 'type') === 'message'
      ? contentParts(partOf(item, 'content')).filter(isThoughtPart)
      : thoughtItem(item),
  );
  const other = others.map((part) => thoughtText(part).trim()).filter((text) => text !== '');
  if (other.length > 0) return { content: other.join('\n\n'), kind: 'raw', source: 'reasoning' };
  const encrypted = items.some((item) => textIn(item, 'encrypted_content') !== '');
  return encrypted ? { content: '', kind: 'encrypted', source: 'reasoning.encrypted_content' } : null;
}

const thoughtItem = (item: Json): Json[] => (isThoughtPart(item) ? [item] : []);

function partTexts(parts: Json | undefined): string[] {
  return listOf(parts)
    .map((part) => textIn(part, 'text').trim())
    .filter((text) => text !== '');
}

/**
 * All items in their order, because each depends on those before it. Reasoning that the provider did not
 * encrypt is left out: the provider does not store it, so it would refuse the id alone. null: there is no
 * reasoning to send back.
 */
function itemsOfTurn(output: Json[]): Json {
  const kept = output.filter(
    (item) => textIn(item, 'type') !== 'reasoning' || textIn(item, 'encrypted_content') !== '',
  );
  return kept.some((item) => textIn(item, 'type') === 'reasoning') ? kept : null;
}

function finishOf(body: Json, calls: ModelToolCall[]): string {
  const reason = textIn(partOf(body, 'incomplete_details'), 'reason');
  if (reason === 'max_output_tokens') return 'length';
  if (reason !== '') return reason;
  const status = textIn(body, 'status');
  if (status !== 'completed') return status || 'unknown';
  return calls.length > 0 ? 'tool_calls' : 'stop';
}

function readUsage(usage: Json | undefined): ModelUsage | null {
  if (!areCounts(usage, ['input_tokens', 'output_tokens'])) return null;
  return {
    inputTokens: countIn(usage, 'input_tokens'),
    outputTokens: countIn(usage, 'output_tokens'),
    reasoningTokens: countIn(partOf(usage, 'output_tokens_details'), 'reasoning_tokens'),
    cachedTokens: countIn(partOf(usage, 'input_tokens_details'), 'cached_tokens'),
  };
}

/** Events that end a stream; each contains the whole response. */
const LAST = ['response.completed', 'response.incomplete', 'response.failed'];

/**
 * The last event contains the whole answer. Content found only in other events is recorded with it. A stream
 * without a last event is assembled from its events: whole items if they were done, else their pieces of
 * text.
 */
export function assembleResponses(events: Json[]): AssembledAnswer {
  const last = events.findLast((event) => LAST.includes(textIn(event, 'type')));
  const whole = partOf(last, 'response');
  const items = eventItems(events);
  // Some servers leave the output of the last event empty.
  const isWhole = listOf(partOf(whole, 'output')).length > 0 || textIn(last, 'type') === 'response.failed';
  const body = isObject(whole) && isWhole ? whole : fromPieces(events, whole, items);
  const said = textsIn(body).join('\n');
  const isUnsaid = (value: Json): boolean => textsIn(value).some((text) => !said.includes(text));
  const unread = events.filter((event) => !isKnown(event) || (!isPiece(event) && isUnsaid(event)));
  const pieces = [...items.values()].flatMap(({ parts }) =>
    [...parts.values()].map(({ text }) => text.join('')),
  );
  const lost = pieces.filter((text) => !said.includes(text));
  return { body, ended: isObject(whole), unread: [...unread, ...lost] };
}

function fromPieces(events: Json[], whole: Json | undefined, items: Map<number, ItemInPieces>): JsonObject {
  const created = events.find((event) => textIn(event, 'type') === 'response.created');
  const started = partOf(created, 'response');
  const head = { ...(isObject(started) && started), ...(isObject(whole) && whole) };
  return { ...head, output: [...items.values()].map(joined) };
}

/** The texts of an item, without its ids and states. */
function textsIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (typeof inner !== 'string') return textsIn(inner);
    return ['text', 'refusal', 'arguments', 'encrypted_content'].includes(key) ? [inner] : [];
  });
}

/** Events with pieces of text. All other events repeat these pieces or report progress. */
const PIECES = [
  'response.output_text.delta',
  'response.reasoning_summary_text.delta',
  'response.reasoning_text.delta',
  'response.function_call_arguments.delta',
];

function isPiece(event: Json): boolean {
  return PIECES.includes(textIn(event, 'type'));
}

function isKnown(event: Json): boolean {
  const type = textIn(event, 'type');
  const placed = typeof partOf(event, 'output_index') === 'number';
  if (isPiece(event)) return placed && typeof partOf(event, 'delta') === 'string';
  if (type.startsWith('response.output_item.')) return placed && isObject(partOf(event, 'item'));
  if (LAST.includes(type) || type === 'response.created') return isObject(partOf(event, 'response'));
  return type.startsWith('response.');
}

/** Text of one part of an item, as received. */
interface Part {
  type: string;
  text: string[];
}

interface ItemInPieces {
  item: JsonObject;
  done: boolean;
  /** By kind and index: an item may have several parts of a kind. */
  parts: Map<string, Part>;
}

function eventItems(events: Json[]): Map<number, ItemInPieces> {
  const items = new Map<number, ItemInPieces>();
  for (const event of events) {
    const key = partOf(event, 'output_index');
    if (typeof key !== 'number') continue;
    const place = items.get(key) ?? { item: {}, done: false, parts: new Map<string, Part>() };
    items.set(key, place);
    takeEvent(event, place);
  }
  return items;
}

function takeEvent(event: Json, place: ItemInPieces): void {
  const type = textIn(event, 'type');
  const item = partOf(event, 'item');
  if (isObject(item)) place.item = item;
  if (type === 'response.output_item.done') place.done = true;
  if (!isPiece(event)) return;
  const index = partOf(event, 'summary_index') ?? partOf(event, 'content_index') ?? 0;
  const key = `${type} ${String(index)}`;
  const part = place.parts.get(key) ?? { type, text: [] };
  place.parts.set(key, part);
  part.text.push(textIn(event, 'delta'));
}

/** Returns the finished item, else the pieces received so far. */
function joined({ item, done, parts }: ItemInPieces): JsonObject {
  if (done) return item;
  const textsOf = (type: string): string[] =>
    [...parts.values()].flatMap((part) =>
      part.type === `response.${type}.delta` ? [part.text.join('')] : [],
    );
  const listed = (texts: string[], type: string): JsonObject[] => texts.map((text) => ({ type, text }));
  const content = [
    ...listed(textsOf('output_text'), 'output_text'),
    ...listed(textsOf('reasoning_text'), 'reasoning_text'),
  ];
  const summary = listed(textsOf('reasoning_summary_text'), 'summary_text');
  const args = textsOf('function_call_arguments');
  const isMessage = textsOf('output_text').length > 0;
  return {
    ...item,
    type: textIn(item, 'type') || (isMessage ? 'message' : 'reasoning'),
    status: 'incomplete',
    ...(content.length > 0 && { content }),
    ...(summary.length > 0 && { summary }),
    ...(args.length > 0 && { arguments: args.join('') }),
  };
}

export function responsesDelta(event: Json): ModelDelta | null {
  const type = textIn(event, 'type');
  const text = textIn(event, 'delta');
  if (text === '') return null;
  if (type === 'response.output_text.delta') return { kind: 'content', text };
  const thought =
    type === 'response.reasoning_summary_text.delta' || type === 'response.reasoning_text.delta';
  return thought ? { kind: 'reasoning', text } : null;
}
