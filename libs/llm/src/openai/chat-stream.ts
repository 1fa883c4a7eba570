import { isObject, type Json, type JsonObject, type ModelDelta } from '@casefile/contracts';
import { listOf, partOf, textIn, mergeFields } from '../json-parts.js';
import type { AssembledAnswer } from '../reading.js';
import { isThoughtPart, thoughtText } from '../thought-parts.js';
import { REASONING_DETAILS, REASONING_FIELDS } from './chat-response.js';

/** Fields that every chunk repeats with new values, in addition to its choice. */
const CHANGING = ['id', 'object', 'created', 'usage', 'obfuscation', 'system_fingerprint', 'x_groq'];

/** Assembles a streamed chat completion. */
export function assembleChat(events: Json[]): AssembledAnswer {
  const message = new MessageInPieces();
  const head: JsonObject = {};
  let finish: string | null = null;
  let failure: JsonObject = {};
  const unread = events.filter((event) => {
    if (!isObject(event)) return true;
    const { choices = null, ...rest } = event;
    const headKept = mergeFields(head, rest, CHANGING);
    const choice = listOf(choices)[0] ?? null;
    finish = textIn(choice, 'finish_reason') || finish;
    const error = partOf(choice, 'error');
    if (isObject(error)) failure = { error };
    // Some servers end a stream with a whole message in place of a delta.
    const delta = partOf(choice, 'delta') ?? partOf(choice, 'message') ?? null;
    if (isObject(delta)) return !message.take(delta) || !headKept;
    // A chunk without a choice reports usage or a filter.
    return choice !== null || !headKept || !(choices === null || Array.isArray(choices));
  });
  const choices = [{ index: 0, message: message.joined(), finish_reason: finish, ...failure }];
  return { body: { ...head, choices }, ended: finish !== null, unread };
}

export function chatDelta(event: Json): ModelDelta | null {
  const delta = partOf(listOf(partOf(event, 'choices'))[0], 'delta');
  const deltaContent = partOf(delta, 'content');
  const content = textIn(delta, 'content') || partsText(deltaContent);
  if (content !== '') return { kind: 'content', text: content };
  const fields = REASONING_FIELDS.map((field) => thoughtText(partOf(delta, field)));
  const reasoning = [...fields, thoughtsText(deltaContent)].find((text) => text !== '');
  return reasoning === undefined ? null : { kind: 'reasoning', text: reasoning };
}

/** Field in which reasoning from parts of the content is assembled. */
const PARTS_FIELD = 'thinking';
/** Index under which a call in the older field `function_call` is assembled. */
const OLDER_CALL = -1;
/** Fields of a delta whose pieces are joined. */
const JOINED: readonly string[] = ['content', 'refusal', ...REASONING_FIELDS];
const JOINED_IN_DETAILS: readonly string[] = ['text', 'summary', 'data', 'signature'];

interface Pieces {
  fields: JsonObject;
  texts: Map<string, string[]>;
}

interface CallInPieces {
  index: number;
  rest: JsonObject;
  functionPart: JsonObject;
  pieces: string[];
  /** Arguments received as JSON rather than as text. */
  whole: Json | null;
}

/** Returns whether a piece with this id and name begins a new call at an index that already has a call. */
function begins(call: CallInPieces, id: string, name: string): boolean {
  const other = textIn(call.rest, 'id');
  if (id !== '' && other !== '') return id !== other;
  return name !== '' && textIn(call.functionPart, 'name') !== '' && isWhole(call);
}

function isWhole({ pieces, whole }: CallInPieces): boolean {
  if (whole !== null) return true;
  try {
    return isObject(JSON.parse(pieces.join('')) as Json);
  } catch {
    return false;
  }
}

/** A message that arrives in pieces. */
class MessageInPieces {
  readonly #message: Pieces = { fields: { role: 'assistant', content: null }, texts: new Map() };
  readonly #calls: CallInPieces[] = [];
  readonly #details = new Map<string, Pieces>();

  /** @returns false if part of the delta has no place in the message. */
  take(delta: JsonObject): boolean {
    const handled = Object.entries(delta).map(([name, value]) => this.#takeField(name, value));
    return handled.every(Boolean);
  }

  joined(): JsonObject {
    const message = joinedTexts(this.#message);
    const details = [...this.#details.values()].map(joinedTexts);
    const calls = this.#calls.map(joinedCall);
    return {
      ...message,
      ...(details.length > 0 && { [REASONING_DETAILS]: details }),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
  }

  #takeField(name: string, value: Json): boolean {
    if (value === null) return true;
    if (name === 'function_call') return this.#takeCall({ index: OLDER_CALL, function: value }, 0);
    if (name === 'tool_calls')
      return Array.isArray(value) && value.map((piece, place) => this.#takeCall(piece, place)).every(Boolean);
    if (name === REASONING_DETAILS)
      return Array.isArray(value) && value.map((piece) => this.#takeDetail(piece)).every(Boolean);
    if (!JOINED.includes(name)) return mergeFields(this.#message.fields, { [name]: value }, ['role']);
    if (name !== 'content') {
      addText(this.#message, name, thoughtText(value));
      return typeof value === 'string' || thoughtText(value) !== '';
    }
    addText(this.#message, name, textIn({ value }, 'value') || partsText(value));
    const thought = thoughtsText(value);
    if (thought !== '') addText(this.#message, PARTS_FIELD, thought);
    return typeof value === 'string' || isKnownParts(value);
  }

  #takeCall(piece: Json, place: number): boolean {
    if (!isObject(piece)) return false;
    const { function: functionPart = null, ...rest } = piece;
    const call = this.#callOf(piece, place, textIn(functionPart, 'name'));
    const kept = mergeFields(call.rest, withoutEmpty(rest), ['id', 'index', 'type']);
    if (functionPart === null) return kept;
    if (!isObject(functionPart)) return false;
    const { arguments: args = null, ...named } = functionPart;
    if (typeof args === 'string') call.pieces.push(args);
    else if (args !== null && call.whole !== null) return false;
    else call.whole ??= args;
    // Some servers repeat the name as an empty text.
    return mergeFields(call.functionPart, withoutEmpty(named), []) && kept;
  }

  /**
   * Returns the call that a piece belongs to, by its index if it has one. A piece with a new id, or with a
   * name after complete arguments, begins another call: some servers give every call the index 0, or none.
   */
  #callOf(piece: JsonObject, place: number, name: string): CallInPieces {
    const id = textIn(piece, 'id');
    const index = typeof piece.index === 'number' ? piece.index : place;
    const same = id === '' ? undefined : this.#calls.find((call) => textIn(call.rest, 'id') === id);
    const there = same ?? this.#calls.findLast((call) => call.index === index);
    if (there !== undefined && !begins(there, id, name)) return there;
    const call: CallInPieces = { index, rest: {}, functionPart: {}, pieces: [], whole: null };
    this.#calls.push(call);
    return call;
  }

  #takeDetail(piece: Json): boolean {
    if (!isObject(piece)) return false;
    // Joins pieces of one type and, if they have an index, of one index.
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

/** Some servers stream content in parts, others stream text. */
function partsText(value: Json | undefined): string {
  return listOf(value)
    .map((part) => (isThoughtPart(part) ? '' : textIn(part, 'text')))
    .join('');
}

function thoughtsText(value: Json | undefined): string {
  return listOf(value)
    .map((part) => (isThoughtPart(part) ? thoughtText(part) : ''))
    .join('');
}

function isKnownParts(value: Json): boolean {
  return (
    Array.isArray(value) &&
    value.every((part) => isThoughtPart(part) || typeof partOf(part, 'text') === 'string')
  );
}

function joinedTexts({ fields, texts }: Pieces): JsonObject {
  const joined = Array.from(texts, ([name, list]) => [name, list.join('')] as const);
  return { ...fields, ...Object.fromEntries(joined) };
}

function joinedCall({ rest, functionPart, pieces, whole }: CallInPieces): JsonObject {
  const text = pieces.join('');
  // No known server sends both. If one does, the text counts and the object is recorded as `unreadArguments`.
  const unread: JsonObject = text !== '' && whole !== null ? { unreadArguments: whole } : {};
  return { ...rest, ...unread, function: { ...functionPart, arguments: text === '' ? (whole ?? '') : text } };
}

function withoutEmpty(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}
