import type { Json, JsonObject } from '@casefile/contracts';

/** One message or item, whatever its provider calls it. */
export interface Turn {
  role: 'system' | 'user' | 'assistant' | 'tool';
  text: string;
  /** Tools that the turn called, with the ids by which results name them. */
  calls?: SeenCall[];
  /** Of a tool's result: which call it answers. */
  callId?: string;
}

/** A call as it came back in a history. */
export interface SeenCall {
  id: string;
  name: string;
  /** Parsed when they are JSON, else the text. */
  args: Json;
}

/** A request in the words of no provider: what the makers of answers look at. */
export interface Question {
  turns: Turn[];
  tools: { name: string; parameters: JsonObject }[];
  mayCallTools: boolean;
  /** The answer has to be a tool call. */
  mustCallTools: boolean;
  /** The JSON Schema that the answer should have, if one was sent. */
  schema: JsonObject | undefined;
  /** JSON of any shape was asked for. */
  json: boolean;
  stream: boolean;
  /** Output tokens, thoughts included; undefined: none was sent. */
  limit: number | undefined;
  /** false: the request tells the model not to think. */
  thinks: boolean;
}

/** The text of all turns of these roles. */
export function textOf({ turns }: Question, ...roles: Turn['role'][]): string {
  return turns
    .filter(({ role }) => roles.includes(role))
    .map(({ text }) => text)
    .join('\n');
}
