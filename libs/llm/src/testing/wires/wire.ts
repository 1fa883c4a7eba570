import type { JsonObject } from '@casefile/contracts';
import type { AnswerBehaviour, ProviderBehaviour } from '../provider-behaviour.js';

/** Response format of a fake server in one protocol. */
export interface FakeWire {
  /** Path at the end of its base URL. */
  basePath: string;
  body(answer: AnswerBehaviour): JsonObject;
  /** The same answer as the events of a stream, with texts in pieces of `length` characters (default 7). */
  events(answer: AnswerBehaviour, length?: number): JsonObject[];
  failure(behaviour: Extract<ProviderBehaviour, { kind: 'status' }>): JsonObject;
  /** Whether the events are named (`event:`), and the marker at the end. */
  named: boolean;
  endMark: string | null;
}

export const NO_USAGE = { input: 10, output: 5, reasoning: 0, cached: 0 };
export const MODEL = 'fake-model-2026-01-05';

/** Splits a text into non-empty pieces of at most `length` characters. */
export function pieces(text: string, length = 7): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, i) =>
    text.slice(i * length, (i + 1) * length),
  );
}

/** Arguments for a protocol with an object there: parsed if they are JSON. */
export function argumentsObject(text: string): JsonObject[string] {
  try {
    return JSON.parse(text) as JsonObject[string];
  } catch {
    return text;
  }
}
