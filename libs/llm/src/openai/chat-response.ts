import {
  isObject,
  type Json,
  type JsonObject,
  type ModelToolCall,
  type ModelUsage,
  type ModelReasoning,
  type ModelDelta,
} from '@casefile/contracts';
import { countIn, countSum, listOf, partOf, textIn } from '../json-parts.js';
import { argumentsOf, type Reading, type Assembled } from '../reading.js';
import { mergeFields } from '../merge-fields.js';

/**
 * Fields of a chat message in which servers return reasoning, in the order in which they are looked at. S2-10.
 * `reasoning_content`: DeepSeek, xAI, vLLM until 0.11. `reasoning`: vLLM since, Ollama, Groq, OpenRouter. `thinking`:
 * Ollama's own field, as some gateways hand it on.
 */
const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'thinking'] as const;
/** OpenRouter's list of what the provider behind it gave. */
const REASONING_DETAILS = 'reasoning_details';
/** Alibaba's, beside a `reasoning_content` that is then only a summary. */
const ENCRYPTED_FIELD = 'encrypted_content';

/** The reasoning of a chat message by its own fields. */
function chatReasoning(message: Json): ModelReasoning | null {
  const details = listOf(partOf(message, REASONING_DETAILS));
  for (const source of REASONING_FIELDS) {
    const content = textIn(message, source).trim();
    if (content !== '') return { content, kind: kindOf(message, details), source };
  }
  return fromDetails(details);
}

function fromDetails(details: Json[]): ModelReasoning | null {
  const readable = details.map((detail) => textIn(detail, 'text') || textIn(detail, 'summary'));
  const content = readable
    .filter((text) => text.trim() !== '')
    .join('\n\n')
    .trim();
  if (content !== '')
    return { content, kind: onlySummaries(details) ? 'summary' : 'raw', source: REASONING_DETAILS };
  return details.some(isEncrypted) ? { content: '', kind: 'encrypted', source: REASONING_DETAILS } : null;
}

function kindOf(message: Json, details: Json[]): 'summary' | 'raw' {
  return onlySummaries(details) || textIn(message, ENCRYPTED_FIELD) !== '' ? 'summary' : 'raw';
}

function onlySummaries(details: Json[]): boolean {
  const types = details.map((detail) => textIn(detail, 'type'));
  return types.includes('reasoning.summary') && !types.includes('reasoning.text');
}

function isEncrypted(detail: Json): boolean {
  return isObject(detail) && textIn(detail, 'type') === 'reasoning.encrypted';
}

/** Reads a chat completion. null: it is none. */
export function readChat(body: Json, sentBack: readonly string[]): Reading | null {
  const choices = partOf(body, 'choices');
  if (!Array.isArray(choices)) return null;
  const choice = choices[0] ?? null;
  const message = partOf(choice, 'message') ?? null;
  const unread: string[] = choice === null || isObject(message) ? [] : ['message'];
  const toolCalls = readToolCalls(message, unread);
  const finish = textIn(choice, 'finish_reason') || 'unknown';
  return {
    model: textIn(body, 'model'),
    text: readText(partOf(message, 'content'), unread),
    reasoning: () => chatReasoning(message),
    toolCalls,
    // The name of the field before there were tools; some servers still use it.
    finishReason: finish === 'function_call' ? 'tool_calls' : finish,
    usage: readUsage(partOf(body, 'usage')),
    refusal: textIn(message, 'refusal'),
    items: toolCalls.length === 0 ? null : itemsOfTurn(message, sentBack),
    unread,
  };
}

function readText(content: Json | undefined, unread: string[]): string {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  if (!Array.isArray(content)) {
    unread.push('content');
    return '';
  }
  return content
    .map((part, index) => {
      const text = partOf(part, 'text');
      if (typeof text === 'string') return text;
      unread.push(`content[${index}] ${textIn(part, 'type')}`.trim());
      return '';
    })
    .join('');
}

function readToolCalls(message: Json, unread: string[]): ModelToolCall[] {
  const calls: ModelToolCall[] = [];
  listOf(partOf(message, 'tool_calls')).forEach((call, index) => {
    const name = textIn(partOf(call, 'function'), 'name');
    if (name === '') return void unread.push(`tool_calls[${index}]`);
    const args = argumentsOf(partOf(partOf(call, 'function'), 'arguments'));
    calls.push({ id: textIn(call, 'id'), name, args });
  });
  return calls;
}

/**
 * What must go back in a turn with tools: the reasoning fields that the provider wants (DeepSeek refuses the next call
 * without its `reasoning_content`), and what its tool calls have beside the usual (Gemini's compatible endpoint: signatures).
 */
function itemsOfTurn(message: Json, sentBack: readonly string[]): Json {
  const fields: JsonObject = {};
  for (const name of sentBack) {
    const value = partOf(message, name);
    const given = name === REASONING_DETAILS ? listOf(value).length > 0 : textIn(message, name) !== '';
    if (given && value !== undefined) fields[name] = value;
  }
  const extras = listOf(partOf(message, 'tool_calls')).map(extrasOf);
  const anyExtra = extras.some((extra) => Object.keys(extra).length > 0);
  if (Object.keys(fields).length === 0 && !anyExtra) return null;
  return { fields, ...(anyExtra && { toolCalls: extras }) };
}

const USUAL = new Set(['id', 'type', 'function', 'index']);

function extrasOf(call: Json): JsonObject {
  const entries = isObject(call) ? Object.entries(call) : [];
  return Object.fromEntries(entries.filter(([key]) => !USUAL.has(key)));
}

/** Tokens as the port counts them: output includes the reasoning. null: nothing was said. */
function readUsage(given: Json | undefined): ModelUsage | null {
  if (!isObject(given)) return null;
  const inputTokens = countIn(given, 'prompt_tokens');
  const answered = countIn(given, 'completion_tokens');
  const reasoningTokens = countIn(partOf(given, 'completion_tokens_details'), 'reasoning_tokens');
  const cachedTokens =
    countIn(partOf(given, 'prompt_tokens_details'), 'cached_tokens') ||
    countIn(given, 'prompt_cache_hit_tokens');
  // xAI and Gemini count reasoning beside the completion; their total shows it.
  const beside =
    countIn(given, 'total_tokens') === inputTokens + answered + reasoningTokens || answered < reasoningTokens;
  const outputTokens = beside ? countSum(answered, reasoningTokens) : answered;
  return { inputTokens, outputTokens, reasoningTokens, cachedTokens };
}

/** What every chunk has anew, beside its choice. */
const CHANGING = ['id', 'object', 'created', 'usage', 'obfuscation', 'system_fingerprint', 'x_groq'];

/** Puts a streamed chat completion together. */
export function assembleChat(events: Json[]): Assembled {
  const message = new MessageInPieces();
  const head: JsonObject = {};
  let finish: string | null = null;
  const unread = events.filter((event) => {
    if (!isObject(event)) return true;
    const { choices = null, ...rest } = event;
    const headKept = mergeFields(head, rest, CHANGING);
    const choice = listOf(choices)[0] ?? null;
    finish = textIn(choice, 'finish_reason') || finish;
    // Some servers end a stream with a whole message in place of a delta.
    const delta = partOf(choice, 'delta') ?? partOf(choice, 'message') ?? null;
    if (isObject(delta)) return !message.take(delta) || !headKept;
    // Without a choice it is a report on usage, or of a filter.
    return choice !== null || !headKept || !(choices === null || Array.isArray(choices));
  });
  const choices = [{ index: 0, message: message.joined(), finish_reason: finish }];
  return { body: { ...head, choices }, ended: finish !== null, unread };
}

export function chatDelta(event: Json): ModelDelta | null {
  const delta = partOf(listOf(partOf(event, 'choices'))[0], 'delta');
  const content = textIn(delta, 'content');
  if (content !== '') return { kind: 'content', text: content };
  const reasoning = REASONING_FIELDS.map((field) => textIn(delta, field)).find((text) => text !== '');
  return reasoning === undefined ? null : { kind: 'reasoning', text: reasoning };
}

/** Fields of a delta whose pieces are joined. */
const JOINED: readonly string[] = ['content', 'refusal', ...REASONING_FIELDS];
const JOINED_IN_DETAILS: readonly string[] = ['text', 'summary', 'data', 'signature'];

interface Pieces {
  fields: JsonObject;
  texts: Map<string, string[]>;
}

interface CallInPieces {
  rest: JsonObject;
  given: JsonObject;
  pieces: string[];
  /** Arguments that came as JSON rather than as text. */
  whole: Json | null;
}

/** A message that comes in pieces. */
class MessageInPieces {
  readonly #message: Pieces = { fields: { role: 'assistant', content: null }, texts: new Map() };
  readonly #calls = new Map<number, CallInPieces>();
  readonly #details = new Map<string, Pieces>();

  /** @returns false when something of the delta found no place in the message. */
  take(delta: JsonObject): boolean {
    const taken = Object.entries(delta).map(([name, value]) => this.#takeField(name, value));
    return taken.every(Boolean);
  }

  joined(): JsonObject {
    const message = joinedTexts(this.#message);
    const details = [...this.#details.values()].map(joinedTexts);
    const calls = [...this.#calls.values()].map(joinedCall);
    return {
      ...message,
      ...(details.length > 0 && { [REASONING_DETAILS]: details }),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
  }

  #takeField(name: string, value: Json): boolean {
    if (value === null) return true;
    if (name === 'tool_calls')
      return Array.isArray(value) && value.map((piece, place) => this.#takeCall(piece, place)).every(Boolean);
    if (name === REASONING_DETAILS)
      return Array.isArray(value) && value.map((piece) => this.#takeDetail(piece)).every(Boolean);
    if (!JOINED.includes(name)) return mergeFields(this.#message.fields, { [name]: value }, ['role']);
    addText(this.#message, name, textIn({ value }, 'value') || partsText(value));
    return typeof value === 'string' || isTextParts(value);
  }

  #takeCall(piece: Json, place: number): boolean {
    if (!isObject(piece)) return false;
    const index = typeof piece.index === 'number' ? piece.index : place;
    const call = this.#calls.get(index) ?? { rest: {}, given: {}, pieces: [], whole: null };
    this.#calls.set(index, call);
    const { function: given = null, ...rest } = piece;
    const kept = mergeFields(call.rest, rest, ['id', 'index', 'type']);
    if (given === null) return kept;
    if (!isObject(given)) return false;
    const { arguments: args = null, ...named } = given;
    if (typeof args === 'string') call.pieces.push(args);
    else if (args !== null && call.whole !== null) return false;
    else call.whole ??= args;
    // Some servers repeat the name as an empty text.
    return mergeFields(call.given, withoutEmpty(named), []) && kept;
  }

  #takeDetail(piece: Json): boolean {
    if (!isObject(piece)) return false;
    // They come in pieces of one type, and of one place where they have one.
    const key = `${textIn(piece, 'type')} ${JSON.stringify(piece.index ?? null)}`;
    const detail = this.#details.get(key) ?? { fields: {}, texts: new Map<string, string[]>() };
    this.#details.set(key, detail);
    const fields = Object.entries(piece).filter(([name, value]) => {
      const joins = JOINED_IN_DETAILS.includes(name) && typeof value === 'string';
      if (joins) addText(detail, name, value);
      return !joins;
    });
    return mergeFields(detail.fields, Object.fromEntries(fields), ['id', 'format']);
  }
}

function addText({ texts }: Pieces, name: string, text: string): void {
  const list = texts.get(name) ?? [];
  list.push(text);
  texts.set(name, list);
}

/** Some servers stream content in parts, as others send it whole. */
function partsText(value: Json): string {
  return listOf(value)
    .map((part) => textIn(part, 'text'))
    .join('');
}

function isTextParts(value: Json): boolean {
  return Array.isArray(value) && value.every((part) => typeof partOf(part, 'text') === 'string');
}

function joinedTexts({ fields, texts }: Pieces): JsonObject {
  const joined = Array.from(texts, ([name, list]) => [name, list.join('')] as const);
  return { ...fields, ...Object.fromEntries(joined) };
}

function joinedCall({ rest, given, pieces, whole }: CallInPieces): JsonObject {
  const text = pieces.join('');
  // Nobody sends both; should one, the other is kept beside it.
  const beside: JsonObject = text !== '' && whole !== null ? { unreadArguments: whole } : {};
  return { ...rest, ...beside, function: { ...given, arguments: text === '' ? (whole ?? '') : text } };
}

function withoutEmpty(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}
