import {
  isObject,
  MOST_ARGUMENT_BYTES,
  type Json,
  type JsonObject,
  type ModelMessage,
  type ModelRequest,
  type ModelToolCall,
} from '@casefile/contracts';
import { storableText } from './storable.js';
import type { ProviderEntry } from './provider-entry.js';

/** Returns whether the answer must be a tool call. Always false for a request without tools. */
export function requiresCall({ tools = [], toolChoice }: ModelRequest): boolean {
  return toolChoice === 'required' && tools.length > 0;
}

/** Returns whether a tool call cannot be forced: Anthropic refuses a forced call while the model thinks. */
export function holdsOff({ protocol }: Pick<ProviderEntry, 'protocol'>, { thinking }: JsonObject): boolean {
  return protocol === 'anthropic' && isObject(thinking) && thinking.type !== 'disabled';
}

/**
 * Returns arguments to send back to a provider, always as an object. Other arguments are sent as text under a
 * key of our own, because most servers parse the arguments of earlier turns and refuse the whole call if
 * parsing fails.
 */
export function argumentsBack(args: Json): JsonObject {
  return isObject(args) ? args : { unparsed: args };
}

/** Rules by which a protocol names the calls of a conversation. */
export interface CallNames {
  /** Ids in the items sent back verbatim, `''` for a call without id; null: nothing is sent back verbatim. */
  idsOf: (message: ModelMessage) => string[] | null;
  /** Converts an id to the form that this protocol accepts. */
  spelled?: (id: string) => string;
}

/**
 * Returns the ids of calls and results for each message: those of an assistant's calls in order, that of a
 * result. An id that an earlier turn used is replaced, because some servers refuse a repeated id or answer
 * the wrong call. Results follow their calls; results of the same id follow the order of the calls.
 */
export function messageCallIds(
  messages: ModelMessage[],
  { idsOf, spelled = (id) => id }: CallNames,
): string[][] {
  const takenIds = new Set<string>();
  let open = new Map<string, string[]>();
  return messages.map((message) => {
    if (message.role === 'tool') return [openNext(open, message.toolCallId)];
    if (message.role !== 'assistant') return [];
    const verbatim = idsOf(message);
    const calls = message.toolCalls ?? [];
    for (const id of verbatim ?? []) takenIds.add(id);
    const ids = calls.map(({ id }, index) => verbatim?.[index] ?? newId(spelled(id), takenIds));
    open = new Map();
    calls.forEach(({ id }, index) => open.set(id, [...(open.get(id) ?? []), ids[index] ?? id]));
    return ids;
  });
}

/** The last id is kept, because a call may have two results. */
function openNext(open: Map<string, string[]>, id: string): string {
  const ids = open.get(id) ?? [id];
  return (ids.length > 1 ? ids.shift() : ids[0]) ?? id;
}

/**
 * Returns the calls of an answer with unique ids. The provider's id is kept unless it repeats within the
 * answer; it may repeat between turns. A call without id gets one that no call of the conversation has.
 */
export function namedCalls(calls: ModelToolCall[], messages: ModelMessage[]): ModelToolCall[] {
  const earlier = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [],
  );
  const takenIds = new Set([...earlier, ...calls.map(({ id }) => id)]);
  const usedIds = new Set(['']);
  return calls.map((call, index) => {
    const id = usedIds.has(call.id) ? newId(`call_${earlier.length + index}`, takenIds) : call.id;
    usedIds.add(id);
    return { ...call, id };
  });
}

/** Characters kept of oversized arguments. */
const KEPT_OF_ARGUMENTS = 2_000;

/**
 * Returns a call for the record, the display and the next request. Oversized arguments are shortened to their
 * beginning, because every later request of the conversation would repeat them.
 */
export function withinSize(call: ModelToolCall): ModelToolCall {
  const json = JSON.stringify(call.args);
  const bytes = json.length > MOST_ARGUMENT_BYTES / 3 ? Buffer.byteLength(json) : 0;
  if (bytes <= MOST_ARGUMENT_BYTES) return call;
  const beginning = typeof call.args === 'string' ? call.args : json;
  return { ...call, args: storableText(beginning.slice(0, KEPT_OF_ARGUMENTS)), cutFrom: bytes };
}

/** Returns this id, or the first free one of `id_2`, `id_3`, ..., and adds it to `takenIds`. */
export function newId(id: string, takenIds: Set<string>): string {
  let free = id;
  for (let n = 2; takenIds.has(free); n += 1) free = `${id}_${n}`;
  takenIds.add(free);
  return free;
}
