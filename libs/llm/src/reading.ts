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

/**
 * Content that one protocol finds in a body, before tags, prices and the rules for unusable answers are
 * applied.
 */
export interface Reading {
  /** `''`: not reported by the provider. */
  model: string;
  text: string;
  /** Called separately, so that a failure to read the reasoning does not lose the answer. */
  reasoning: () => ModelReasoning | null;
  /** With the ids the provider gave; `''`: it gave none. */
  toolCalls: ModelToolCall[];
  /** `stop`, `length`, `tool_calls`, `content_filter`, or the provider's own word. */
  finishReason: string;
  /** null: not reported by the provider. */
  usage: ModelUsage | null;
  /** The provider's failure if the answer reports one; absent: it reports none. */
  failure?: Json;
  /** The model's words of refusal; `''`: it did not refuse. */
  refusal: string;
  /** Items to send back with the next turn; null: none. */
  items: Json;
  /** Names of parts that could not be read. */
  unread: string[];
}

/** A streamed answer, assembled in the shape of one that was not streamed. */
export interface AssembledAnswer {
  body: Json;
  /** Whether the provider marked the end of the stream. */
  ended: boolean;
  /** Events whose content is not in the body. */
  unread: Json[];
}

/** Reads the responses of one protocol. No function throws: any JSON may arrive. */
export interface Reader {
  /** Returns null if the body is not an answer of this protocol. */
  read(body: Json, model: string): Reading | null;
  assemble(events: Json[]): AssembledAnswer;
  /** Returns the text that one event adds to the answer, or null if there is nothing to show. */
  delta(event: Json): ModelDelta | null;
}

/**
 * Parses the arguments of a call. Nearly valid JSON is repaired (fenced, encoded twice, two objects in one
 * text, an extra comma); other text stays text.
 */
export function readArguments(value: Json | undefined): Json {
  if (Array.isArray(value) && value.length === 1 && isObject(value[0])) return value[0];
  if (typeof value !== 'string') return value ?? {};
  if (value.trim() === '' || value.trim() === 'null') return {};
  const args = argumentsIn(value);
  return args === null ? parsedOr(value) : storable(args);
}

function parsedOr(text: string): Json {
  try {
    return storable(JSON.parse(text) as Json);
  } catch {
    return text;
  }
}
