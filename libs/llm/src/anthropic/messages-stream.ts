import type { Json, JsonObject, ModelDelta } from '@casefile/contracts';
import { isObject, partOf, textIn } from '../json-parts.js';
import type { Assembled } from '../reading.js';

/** Which field of its block each kind of delta adds to. */
const FIELD_OF_DELTA: Record<string, string> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
  input_json_delta: 'partial_json',
};

interface BlockInPieces {
  start: JsonObject;
  pieces: Map<string, string[]>;
}

/** Puts a streamed message together. */
export function assembleMessage(events: Json[]): Assembled {
  let message: JsonObject = {};
  let usage: JsonObject = {};
  let ended = false;
  const blocks = new Blocks();
  const unread = events.filter((event) => !isKnown(event));
  for (const event of events) {
    const type = textIn(event, 'type');
    const key = indexOf(event);
    if (type === 'message_start') message = { ...message, ...objectIn(event, 'message') };
    else if (type === 'content_block_start') blocks.begin(key, objectIn(event, 'content_block'));
    else if (type === 'content_block_delta') takeDelta(partOf(event, 'delta') ?? null, key, blocks);
    else if (type === 'message_delta') message = { ...message, ...present(objectIn(event, 'delta')) };
    if (type === 'message_start') usage = objectIn(partOf(event, 'message'), 'usage');
    if (type === 'message_delta') usage = { ...usage, ...present(objectIn(event, 'usage')) };
    if (type === 'message_stop') ended = true;
  }
  // Nothing of the protocol in it at all: not even an empty answer.
  if (Object.keys(message).length === 0 && blocks.all.length === 0) return { body: {}, ended, unread };
  const content = blocks.all.map(joined);
  return { body: { ...message, content, ...(Object.keys(usage).length > 0 && { usage }) }, ended, unread };
}

/** Where each kind of event has what it brings; `''`: it brings nothing. */
const PLACE: Record<string, string> = {
  message_start: 'message',
  content_block_start: 'content_block',
  content_block_delta: 'delta',
  content_block_stop: '',
  message_delta: 'delta',
  message_stop: '',
  ping: '',
};

function isKnown(event: Json): boolean {
  const type = textIn(event, 'type');
  const place = Object.hasOwn(PLACE, type) ? PLACE[type] : undefined;
  if (place === undefined || place === '') return place === '';
  const brought = partOf(event, place);
  if (type.startsWith('content_block') && typeof partOf(event, 'index') !== 'number') return false;
  if (type !== 'content_block_delta') return isObject(brought);
  const kind = textIn(brought, 'type');
  const field = Object.hasOwn(FIELD_OF_DELTA, kind) ? FIELD_OF_DELTA[kind] : undefined;
  return field !== undefined && typeof partOf(brought, field) === 'string';
}

/** Which block an event is about; those that do not say share a place, and stay on the record apart. */
function indexOf(event: Json): number {
  const index = partOf(event, 'index');
  return typeof index === 'number' ? index : -1;
}

export function messageDelta(event: Json): ModelDelta | null {
  const delta = partOf(event, 'delta');
  const text = textIn(delta, 'text');
  if (text !== '') return { kind: 'content', text };
  const thinking = textIn(delta, 'thinking');
  return thinking === '' ? null : { kind: 'reasoning', text: thinking };
}

/** Blocks in the order they began. One that begins at a place that is taken does not take away what stands there. */
class Blocks {
  readonly all: BlockInPieces[] = [];
  private readonly open = new Map<number, BlockInPieces>();

  begin(key: number, start: JsonObject): BlockInPieces {
    const block = { start, pieces: new Map<string, string[]>() };
    this.all.push(block);
    this.open.set(key, block);
    return block;
  }

  at(key: number): BlockInPieces | undefined {
    return this.open.get(key);
  }
}

function takeDelta(delta: Json, key: number, blocks: Blocks): void {
  const type = textIn(delta, 'type');
  const field = Object.hasOwn(FIELD_OF_DELTA, type) ? FIELD_OF_DELTA[type] : undefined;
  if (field === undefined) return;
  // The beginning of a block may be lost; its text is not.
  const block = blocks.at(key) ?? blocks.begin(key, { type: field === 'thinking' ? 'thinking' : 'text' });
  const pieces = block.pieces.get(field) ?? [];
  pieces.push(textIn(delta, field));
  block.pieces.set(field, pieces);
}

function joined({ start, pieces }: BlockInPieces): JsonObject {
  const block: JsonObject = { ...start };
  for (const [field, list] of pieces) {
    const text = list.join('');
    if (field !== 'partial_json') block[field] = `${textIn(start, field)}${text}`;
    else if (text !== '') block.input = inputOf(text);
  }
  return block;
}

/** The tool's input in the shape of an answer that was not streamed; text that is no JSON stays text. */
function inputOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function objectIn(from: Json | undefined, key: string): JsonObject {
  const value = partOf(from, key);
  return isObject(value) ? value : {};
}

function present(from: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(from).filter(([, value]) => value !== null));
}
