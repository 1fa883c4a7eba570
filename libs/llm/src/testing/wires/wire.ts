import type { JsonObject } from '@casefile/contracts';
import type { AnswerBehaviour, ProviderBehaviour } from '../provider-behaviour.js';

/** How a fake server says things in one protocol. */
export interface FakeWire {
  /** Where its base URL ends. */
  basePath: string;
  body(answer: AnswerBehaviour): JsonObject;
  /** The same answer as the events of a stream, texts in pieces of so many characters (default 7). */
  events(answer: AnswerBehaviour, length?: number): JsonObject[];
  failure(told: Extract<ProviderBehaviour, { kind: 'status' }>): JsonObject;
  /** Are the events named (`event:`), and is there a word at the end? */
  named: boolean;
  endMark: string | null;
}

export const NO_USAGE = { input: 10, output: 5, reasoning: 0, cached: 0 };
export const MODEL = 'fake-model-2026-01-05';

/** A text in pieces, none of them empty, at most so many characters each. */
export function pieces(text: string, length = 7): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, i) =>
    text.slice(i * length, (i + 1) * length),
  );
}

/** Arguments where the protocol has an object: parsed when they are JSON. */
export function argumentsObject(text: string): JsonObject[string] {
  try {
    return JSON.parse(text) as JsonObject[string];
  } catch {
    return text;
  }
}
