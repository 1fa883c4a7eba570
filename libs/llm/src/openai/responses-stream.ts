import type { Json, JsonObject, ModelDelta } from '@casefile/contracts';
import { isObject, listOf, partOf, textIn } from '../json-parts.js';
import type { Assembled } from '../reading.js';

/** Events that end a stream; each has the whole response in it. */
const LAST = ['response.completed', 'response.incomplete', 'response.failed'];

/**
 * The last event has the whole answer; pieces of which it says nothing are kept beside it. A stream that ended before is
 * put together from what came: whole items where they were done, pieces of text where they were not.
 */
export function assembleResponses(events: Json[]): Assembled {
  const last = events.findLast((event) => LAST.includes(textIn(event, 'type')));
  const whole = partOf(last, 'response');
  const unread = events.filter((event) => !isKnown(event));
  const pieced = outputOf(events);
  // Some servers leave the output of the last event empty.
  if (isObject(whole) && (listOf(whole.output).length > 0 || textIn(last, 'type') === 'response.failed')) {
    const said = new Set(textsIn(whole));
    const missing = pieced.filter((item) => textsIn(item).some((text) => !said.has(text)));
    return { body: whole, ended: true, unread: [...unread, ...missing] };
  }
  const begun = partOf(
    events.find((event) => textIn(event, 'type') === 'response.created'),
    'response',
  );
  const head: JsonObject = { ...(isObject(begun) && begun), ...(isObject(whole) && whole) };
  return { body: { ...head, output: pieced }, ended: isObject(whole), unread };
}

/** What an item says: its texts, not its ids and states. */
function textsIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (typeof inner !== 'string') return textsIn(inner);
    return ['text', 'refusal', 'arguments', 'encrypted_content'].includes(key) ? [inner] : [];
  });
}

/** What a stream has beside these is repeated in them, or says how far it is. */
const PIECES = [
  'response.output_text.delta',
  'response.reasoning_summary_text.delta',
  'response.reasoning_text.delta',
  'response.function_call_arguments.delta',
];

function isKnown(event: Json): boolean {
  const type = textIn(event, 'type');
  const placed = typeof partOf(event, 'output_index') === 'number';
  if (PIECES.includes(type)) return placed && typeof partOf(event, 'delta') === 'string';
  if (type.startsWith('response.output_item.')) return placed && isObject(partOf(event, 'item'));
  if (LAST.includes(type) || type === 'response.created') return isObject(partOf(event, 'response'));
  return type.startsWith('response.');
}

interface ItemInPieces {
  item: JsonObject;
  done: boolean;
  text: string[];
  summary: string[];
  reasoning: string[];
  args: string[];
}

function outputOf(events: Json[]): Json[] {
  const items = new Map<number, ItemInPieces>();
  for (const event of events) {
    const key = partOf(event, 'output_index');
    if (typeof key !== 'number') continue;
    const place = items.get(key) ?? { item: {}, done: false, text: [], summary: [], reasoning: [], args: [] };
    items.set(key, place);
    takeEvent(event, place);
  }
  return [...items.values()].map(joined);
}

function takeEvent(event: Json, place: ItemInPieces): void {
  const type = textIn(event, 'type');
  const item = partOf(event, 'item');
  const delta = textIn(event, 'delta');
  if (isObject(item)) place.item = item;
  if (type === 'response.output_item.done') place.done = true;
  else if (type === 'response.output_text.delta') place.text.push(delta);
  else if (type === 'response.reasoning_summary_text.delta') place.summary.push(delta);
  else if (type === 'response.reasoning_text.delta') place.reasoning.push(delta);
  else if (type === 'response.function_call_arguments.delta') place.args.push(delta);
  else if (type === 'response.reasoning_summary_part.added' && place.summary.length > 0)
    place.summary.push('\n\n');
}

function joined({ item, done, text, summary, reasoning, args }: ItemInPieces): JsonObject {
  if (done) return item;
  const type = textIn(item, 'type') || (text.length > 0 ? 'message' : 'reasoning');
  return {
    ...item,
    type,
    status: 'incomplete',
    ...(text.length > 0 && { content: [{ type: 'output_text', text: text.join('') }] }),
    ...(summary.length > 0 && { summary: [{ type: 'summary_text', text: summary.join('') }] }),
    ...(reasoning.length > 0 && { content: [{ type: 'reasoning_text', text: reasoning.join('') }] }),
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
