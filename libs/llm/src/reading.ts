import {
  argumentsIn,
  isObject,
  type Json,
  type ModelDelta,
  type ModelReasoning,
  type ModelToolCall,
  type ModelUsage,
} from '@casefile/contracts';
import { storable } from './storable.js';

/** What one protocol finds in a body, before tags, prices and the rules on unusable answers. */
export interface Reading {
  /** `''`: the provider does not say. */
  model: string;
  text: string;
  /** Called apart from the rest, so that it may fail without the answer. S2-13. */
  reasoning: () => ModelReasoning | null;
  /** With the ids the provider gave; `''`: it gave none. */
  toolCalls: ModelToolCall[];
  /** `stop`, `length`, `tool_calls`, `content_filter`, or the provider's own word. */
  finishReason: string;
  /** null: the provider does not say. */
  usage: ModelUsage | null;
  /** The provider's failure if the answer reports one; absent: it reports none. */
  failure?: Json;
  /** The model's words of refusal; `''`: it did not refuse. */
  refusal: string;
  /** What goes back with the next turn; null: nothing. */
  items: Json;
  /** Names of what could not be read. */
  unread: string[];
}

/** A streamed answer put together in the shape of one that was not streamed. */
export interface Assembled {
  body: Json;
  /** Did the provider say that this was all? */
  ended: boolean;
  /** Events of which nothing is in the body. */
  unread: Json[];
}

/** How one protocol reads what came back. All functions are total: any JSON may come in. */
export interface Reader {
  /** null: no answer of this protocol. */
  read(body: Json, model: string): Reading | null;
  assemble(events: Json[]): Assembled;
  /** What one event adds to the answer; null: nothing to show. */
  delta(event: Json): ModelDelta | null;
}

/**
 * The arguments of a call: parsed if they are JSON, repaired if they are nearly so (fenced, encoded twice, two objects in
 * one text, a comma too many), else the text. S4-04.
 */
export function argumentsOf(given: Json | undefined): Json {
  if (Array.isArray(given) && given.length === 1 && isObject(given[0])) return given[0];
  if (typeof given !== 'string') return given ?? {};
  if (given.trim() === '' || given.trim() === 'null') return {};
  const found = argumentsIn(given);
  return found === null ? parsedOr(given) : storable(found);
}

function parsedOr(given: string): Json {
  try {
    return storable(JSON.parse(given) as Json);
  } catch {
    return given;
  }
}
