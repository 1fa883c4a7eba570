import type { JsonObject } from '@casefile/contracts';

/** One message or item, whatever its provider calls it. */
export interface Turn {
  role: 'system' | 'user' | 'assistant' | 'tool';
  text: string;
}

/** A request in the words of no provider: what the makers of answers look at. */
export interface Question {
  turns: Turn[];
  tools: { name: string; parameters: JsonObject }[];
  mayCallTools: boolean;
  /** The JSON Schema that the answer should have, if one was sent. */
  schema: JsonObject | undefined;
  /** JSON of any shape was asked for. */
  json: boolean;
  stream: boolean;
}

/** The text of all turns of these roles. */
export function textOf({ turns }: Question, ...roles: Turn['role'][]): string {
  return turns
    .filter(({ role }) => roles.includes(role))
    .map(({ text }) => text)
    .join('\n');
}
