import type { JsonObject } from '@casefile/contracts';
import type { AnswerBehaviour, ProviderBehaviour } from '../provider-behaviour.js';

/** How a fake server says things in one protocol. */
export interface FakeWire {
  /** Where its base URL ends. */
  basePath: string;
  body(answer: AnswerBehaviour): JsonObject;
  /** The same answer as the events of a stream. */
  events(answer: AnswerBehaviour): JsonObject[];
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

/** The events as they stand on the wire. */
export function serverSentEvents(wire: FakeWire, events: JsonObject[]): string {
  const lines = events.map((event) => {
    const name = wire.named && typeof event.type === 'string' ? `event: ${event.type}\n` : '';
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  return lines.join('') + (wire.endMark === null ? '' : `data: ${wire.endMark}\n\n`);
}
