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

/** Must the answer be a tool call? Without tools nothing can be asked for. S4-01. */
export function requiresCall({ tools = [], toolChoice }: ModelRequest): boolean {
  return toolChoice === 'required' && tools.length > 0;
}

/** A model of Anthropic's that thinks may not be made to call a tool: the request would be refused. */
export function holdsOff({ protocol }: Pick<ProviderEntry, 'protocol'>, { thinking }: JsonObject): boolean {
  return protocol === 'anthropic' && isObject(thinking) && thinking.type !== 'disabled';
}

/**
 * Arguments as they go back to a provider: always an object. What a model wrote that was none goes back as the text it
 * was, under a name of ours, for most servers read the arguments of earlier turns and refuse the whole call otherwise.
 */
export function argumentsBack(args: Json): JsonObject {
  return isObject(args) ? args : { unparsed: args };
}

/** How a protocol names the calls of a conversation. */
export interface CallNames {
  /** The ids in what the provider wants back verbatim, `''` where it gave a call none; null: nothing goes back verbatim. */
  given: (message: ModelMessage) => string[] | null;
  /** An id as this protocol takes it. */
  spelled?: (id: string) => string;
}

/**
 * The ids by which a protocol's messages name calls and results, message by message: those of an assistant's calls in their
 * order, that of a result. An id that an earlier turn had already is made another, for there are servers that refuse
 * it or answer the wrong call; results follow their calls, those of one id in the calls' order. S4-02.
 */
export function callIdsOf(messages: ModelMessage[], { given, spelled = (id) => id }: CallNames): string[][] {
  const taken = new Set<string>();
  let open = new Map<string, string[]>();
  return messages.map((message) => {
    if (message.role === 'tool') return [nextOf(open, message.toolCallId)];
    if (message.role !== 'assistant') return [];
    const verbatim = given(message);
    const calls = message.toolCalls ?? [];
    for (const id of verbatim ?? []) taken.add(id);
    const ids = calls.map(({ id }, index) => verbatim?.[index] ?? newId(spelled(id), taken));
    open = new Map();
    calls.forEach(({ id }, index) => open.set(id, [...(open.get(id) ?? []), ids[index] ?? id]));
    return ids;
  });
}

/** The last one stays: a call may have been answered twice. */
function nextOf(open: Map<string, string[]>, id: string): string {
  const ids = open.get(id) ?? [id];
  return (ids.length > 1 ? ids.shift() : ids[0]) ?? id;
}

/**
 * The calls of an answer, each with an id of its own: the provider's, which it may repeat from turn to turn but not within
 * one; where it gives none, one that no call of the conversation has. S4-02.
 */
export function namedCalls(calls: ModelToolCall[], messages: ModelMessage[]): ModelToolCall[] {
  const earlier = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [],
  );
  const taken = new Set([...earlier, ...calls.map(({ id }) => id)]);
  const given = new Set(['']);
  return calls.map((call, index) => {
    const id = given.has(call.id) ? newId(`call_${earlier.length + index}`, taken) : call.id;
    given.add(id);
    return { ...call, id };
  });
}

/** What is kept of arguments that are too large, in characters. */
const KEPT_OF_ARGUMENTS = 2_000;

/**
 * A call as it is recorded, shown and sent back: arguments that are too large are a beginning of themselves, for they would
 * go into every later request of the conversation. E-04.
 */
export function withinSize(call: ModelToolCall): ModelToolCall {
  const json = JSON.stringify(call.args);
  const bytes = json.length > MOST_ARGUMENT_BYTES / 3 ? Buffer.byteLength(json) : 0;
  if (bytes <= MOST_ARGUMENT_BYTES) return call;
  const beginning = typeof call.args === 'string' ? call.args : json;
  return { ...call, args: storableText(beginning.slice(0, KEPT_OF_ARGUMENTS)), cutFrom: bytes };
}

/** This id, or the first of `id_2`, `id_3`, ... that is free; it is taken then. */
export function newId(id: string, taken: Set<string>): string {
  let free = id;
  for (let n = 2; taken.has(free); n += 1) free = `${id}_${n}`;
  taken.add(free);
  return free;
}
