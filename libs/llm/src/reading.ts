import type { Json, ModelDelta, ModelReasoning, ModelToolCall, ModelUsage } from '@casefile/contracts';
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

/** Arguments as the model wrote them: parsed when they are JSON, else the text. */
export function argumentsOf(given: Json | undefined): Json {
  if (typeof given !== 'string') return given ?? {};
  if (given.trim() === '') return {};
  try {
    return storable(JSON.parse(given) as Json);
  } catch {
    return given;
  }
}
