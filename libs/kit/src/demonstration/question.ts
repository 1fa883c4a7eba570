import type { Json, JsonObject } from '@casefile/contracts';

/** One message or item, independent of the provider. */
export interface Turn {
  role: 'system' | 'user' | 'assistant' | 'tool';
  text: string;
  /** Tool calls of the turn, with the ids by which results refer to them. */
  calls?: SeenCall[];
  /** For a tool's result: id of the call that it answers. */
  callId?: string;
}

/** A call that the client sent back as part of the history. */
export interface SeenCall {
  id: string;
  name: string;
  /** Parsed arguments, or text if they are not JSON. */
  args: Json;
}

/** A request in a form that is independent of the provider. Answers are made from it. */
export interface Question {
  turns: Turn[];
  tools: { name: string; parameters: JsonObject }[];
  mayCallTools: boolean;
  /** Whether the answer has to be a tool call. */
  mustCallTools: boolean;
  /** JSON Schema for the answer; undefined: none was sent. */
  schema: JsonObject | undefined;
  /** Whether the request asks for JSON of any shape. */
  json: boolean;
  stream: boolean;
  /** Limit of output tokens, including reasoning; undefined: none was sent. */
  limit: number | undefined;
  /** false: the request turns reasoning off. */
  thinks: boolean;
}

/** Returns the text of all turns of these roles. */
export function questionText({ turns }: Question, ...roles: Turn['role'][]): string {
  return turns
    .filter(({ role }) => roles.includes(role))
    .map(({ text }) => text)
    .join('\n');
}
