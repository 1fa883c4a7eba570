import type { Json, JsonObject, ModelDelta } from '@casefile/contracts';
import { isObject, listOf, partOf, textIn } from '../json-parts.js';
import type { Assembled } from '../reading.js';
import { REASONING_DETAILS, REASONING_FIELDS } from './chat-fields.js';

/** Fields of a delta whose pieces are joined; every other field is kept as its last event had it. */
const JOINED = ['content', 'refusal', ...REASONING_FIELDS];

/** Puts a streamed chat completion together. */
export function assembleChat(events: Json[]): Assembled {
  const message: JsonObject = { role: 'assistant', content: null };
  const texts = new Map<string, string[]>();
  const calls = new Map<number, CallInPieces>();
  const details: DetailsInPieces = { parts: [], places: new Map() };
  let head: JsonObject = {};
  let finish: string | null = null;
  const unread: Json[] = [];
  for (const event of events) {
    if (isObject(event)) head = { ...head, ...present(event) };
    const choice = listOf(partOf(event, 'choices'))[0] ?? null;
    finish = textIn(choice, 'finish_reason') || finish;
    // Some servers end a stream with a whole message in place of a delta.
    const delta = partOf(choice, 'delta') ?? partOf(choice, 'message') ?? null;
    if (!isKnown(event, choice, delta)) unread.push(event);
    takeDelta(delta, message, texts, calls, details);
  }
  for (const [name, pieces] of texts) message[name] = pieces.join('');
  if (details.parts.length > 0) message[REASONING_DETAILS] = details.parts.map(joinedDetail);
  if (calls.size > 0) message.tool_calls = [...calls.values()].map(joinedCall);
  const choices = [{ index: 0, message, finish_reason: finish }];
  return { body: { ...head, choices }, ended: finish !== null, unread };
}

/** An event has one choice with a delta in it, or no choice (usage, a filter's report). */
function isKnown(event: Json, choice: Json, delta: Json): boolean {
  const choices = partOf(event, 'choices');
  if (!isObject(event) || (choices !== undefined && !Array.isArray(choices))) return false;
  if (choices === undefined) return false;
  return (
    choices.length === 0 || (isObject(choice) && isObject(delta) && Object.values(delta).every(isReadable))
  );
}

/** Lists are those of the fields that are taken piece by piece; their pieces are objects. */
function isReadable(value: Json): boolean {
  return !Array.isArray(value) || value.every(isObject);
}

export function chatDelta(event: Json): ModelDelta | null {
  const delta = partOf(listOf(partOf(event, 'choices'))[0], 'delta');
  const content = textIn(delta, 'content');
  if (content !== '') return { kind: 'content', text: content };
  const reasoning = REASONING_FIELDS.map((field) => textIn(delta, field)).find((text) => text !== '');
  return reasoning === undefined ? null : { kind: 'reasoning', text: reasoning };
}

interface CallInPieces {
  rest: JsonObject;
  name: string;
  pieces: string[];
  /** Arguments that came as JSON rather than as text. */
  whole: Json | null;
}

function takeDelta(
  delta: Json,
  message: JsonObject,
  texts: Map<string, string[]>,
  calls: Map<number, CallInPieces>,
  details: DetailsInPieces,
): void {
  if (!isObject(delta)) return;
  for (const [name, value] of Object.entries(present(delta))) {
    if (name === 'tool_calls') listOf(value).forEach((piece, place) => takeCall(piece, place, calls));
    else if (name === REASONING_DETAILS) listOf(value).forEach((piece) => takeDetail(piece, details));
    else if (JOINED.includes(name) && typeof value === 'string')
      texts.set(name, pushed(texts.get(name), value));
    else message[name] = value;
  }
}

function takeCall(piece: Json, place: number, calls: Map<number, CallInPieces>): void {
  if (!isObject(piece)) return;
  const index = typeof piece.index === 'number' ? piece.index : place;
  const call = calls.get(index) ?? { rest: {}, name: '', pieces: [], whole: null };
  const { function: given = null, ...rest } = present(piece);
  call.rest = { ...call.rest, ...rest };
  call.name ||= textIn(given, 'name');
  const args = partOf(given, 'arguments');
  if (typeof args === 'string') call.pieces.push(args);
  else if (args !== undefined && args !== null) call.whole = args;
  calls.set(index, call);
}

function joinedCall({ rest, name, pieces, whole }: CallInPieces): JsonObject {
  const text = pieces.join('');
  // Nobody sends both; should one, the other is kept beside it.
  const beside: JsonObject = text !== '' && whole !== null ? { unreadArguments: whole } : {};
  return { ...rest, ...beside, function: { name, arguments: text === '' ? (whole ?? '') : text } };
}

/** OpenRouter's details come in pieces of one type, and of one place where they have one. */
interface DetailsInPieces {
  parts: { rest: JsonObject; pieces: Map<string, string[]> }[];
  places: Map<string, number>;
}

const JOINED_IN_DETAILS = ['text', 'summary', 'data', 'signature'];

function takeDetail(piece: Json, details: DetailsInPieces): void {
  if (!isObject(piece)) return;
  const key = `${textIn(piece, 'type')} ${String(piece.index ?? '')}`;
  let place = details.places.get(key);
  if (place === undefined) {
    place = details.parts.push({ rest: {}, pieces: new Map() }) - 1;
    details.places.set(key, place);
  }
  const part = details.parts[place];
  if (part === undefined) return;
  for (const [name, value] of Object.entries(present(piece))) {
    if (JOINED_IN_DETAILS.includes(name) && typeof value === 'string')
      part.pieces.set(name, pushed(part.pieces.get(name), value));
    else part.rest[name] = value;
  }
}

function joinedDetail({ rest, pieces }: DetailsInPieces['parts'][number]): JsonObject {
  const texts = Array.from(pieces, ([name, list]) => [name, list.join('')] as const);
  return { ...rest, ...Object.fromEntries(texts) };
}

function pushed(list: string[] | undefined, text: string): string[] {
  if (list === undefined) return [text];
  list.push(text);
  return list;
}

/** Without what is null: streams repeat every field as null. */
function present(from: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(from).filter(([, value]) => value !== null));
}
