import {
  isObject,
  type Json,
  type ModelReasoning,
  type ModelToolCall,
  type ModelUsage,
  type JsonObject,
  type ModelDelta,
} from '@casefile/contracts';
import { areCounts, contentParts, countIn, countSum, partOf, textIn } from '../json-parts.js';
import { isThoughtPart, thoughtText } from '../thought-parts.js';
import { readArguments, type Reading, type AssembledAnswer } from '../reading.js';

const FINISH: Record<string, string> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

/** Reads an Anthropic message. Returns null if the body is not a message. */
export function readMessage(body: Json): Reading | null {
  const contentList = partOf(body, 'content');
  if (!Array.isArray(contentList) && textIn(body, 'type') !== 'message') return null;
  const content = contentParts(contentList);
  const text: string[] = [];
  const toolCalls: ModelToolCall[] = [];
  const unread: string[] = [];
  content.forEach((block, index) => {
    if (isThoughtPart(block)) return;
    const type = textIn(block, 'type');
    const name = textIn(block, 'name');
    const said = partOf(block, 'text');
    if (type === 'text' && typeof said === 'string') text.push(said);
    else if (type === 'tool_use' && name !== '')
      toolCalls.push({
        id: textIn(block, 'id'),
        name,
        args: readArguments(partOf(block, 'input')),
      });
    else unread.push(`content[${index}] ${type}`.trim());
  });
  const stop = textIn(body, 'stop_reason');
  return {
    model: textIn(body, 'model'),
    text: text.join(''),
    reasoning: () => readThoughts(content),
    toolCalls,
    finishReason: (Object.hasOwn(FINISH, stop) ? FINISH[stop] : undefined) ?? (stop || 'unknown'),
    usage: readUsage(partOf(body, 'usage')),
    refusal: stop === 'refusal' ? refusalIn(body, text) : '',
    // Thinking must be sent back unmodified and in its place among the other blocks, or Anthropic refuses the
    // next turn.
    items: content.some(isThoughtPart) ? content : null,
    unread,
  };
}

function refusalIn(body: Json, text: string[]): string {
  const details = partOf(body, 'stop_details');
  return textIn(details, 'explanation') || text.join('') || textIn(details, 'category') || 'refusal';
}

/**
 * Since Claude 4 a `thinking` block is a summary. With `display: 'omitted'` it is empty and signed. Reasoning
 * that safety withholds is a `redacted_thinking` block.
 */
function readThoughts(content: Json[]): ModelReasoning | null {
  const isRedacted = (block: Json) => textIn(block, 'type') === 'redacted_thinking';
  const blocks = content.filter((block) => isThoughtPart(block) && !isRedacted(block));
  const texts = blocks.map((block) => thoughtText(block).trim()).filter((text) => text !== '');
  // Gateways to other models use other names for this block.
  const source = textIn(blocks[0] ?? null, 'type') || 'thought';
  if (texts.length > 0) return { content: texts.join('\n\n'), kind: 'summary', source };
  if (blocks.some((block) => textIn(block, 'signature') !== ''))
    return { content: '', kind: 'encrypted', source: 'thinking' };
  return content.some(isRedacted) ? { content: '', kind: 'redacted', source: 'redacted_thinking' } : null;
}

/** Anthropic's `input_tokens` exclude cached tokens; the port's count includes them. */
function readUsage(usage: Json | undefined): ModelUsage | null {
  if (!areCounts(usage, ['input_tokens', 'output_tokens'])) return null;
  const cachedTokens = countIn(usage, 'cache_read_input_tokens');
  const written = countIn(usage, 'cache_creation_input_tokens');
  return {
    inputTokens: countSum(countIn(usage, 'input_tokens'), cachedTokens, written),
    outputTokens: countIn(usage, 'output_tokens'),
    reasoningTokens: countIn(partOf(usage, 'output_tokens_details'), 'thinking_tokens'),
    cachedTokens,
    ...(written > 0 && { writtenTokens: written }),
  };
}

/** Field of the block that each kind of delta adds to. */
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

/** Assembles a streamed message. */
export function assembleMessage(events: Json[]): AssembledAnswer {
  let message: JsonObject = {};
  let usage: JsonObject = {};
  let ended = false;
  const blocks = new Blocks();
  const unread = events.filter((event) => !isKnown(event));
  for (const event of events) {
    const type = textIn(event, 'type');
    const key = blockIndex(event);
    if (type === 'message_start') message = { ...message, ...objectIn(event, 'message') };
    else if (type === 'content_block_start') blocks.begin(key, objectIn(event, 'content_block'));
    else if (type === 'content_block_delta') takeDelta(partOf(event, 'delta') ?? null, key, blocks);
    else if (type === 'message_delta') message = { ...message, ...present(objectIn(event, 'delta')) };
    if (type === 'message_start') usage = objectIn(partOf(event, 'message'), 'usage');
    if (type === 'message_delta') usage = { ...usage, ...present(objectIn(event, 'usage')) };
    if (type === 'message_stop') ended = true;
  }
  // The stream contained nothing of the protocol, not even an empty answer.
  if (Object.keys(message).length === 0 && blocks.all.length === 0) return { body: {}, ended, unread };
  const content = blocks.all.map(joined);
  return { body: { ...message, content, ...(Object.keys(usage).length > 0 && { usage }) }, ended, unread };
}

/** Field in which each kind of event carries its payload; `''`: the event has none. */
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

/**
 * Index of the block an event belongs to. Events without an index share one place and are recorded
 * separately.
 */
function blockIndex(event: Json): number {
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

/**
 * Blocks in the order they began. A block that begins at an occupied index does not replace the block there.
 */
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
  // The start event of a block may be lost; its text is kept anyway.
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
    else if (text !== '') block.input = parseInput(text);
  }
  return block;
}

/** Tool input in the shape of an answer that was not streamed. Text that is not JSON stays text. */
function parseInput(text: string): Json {
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
