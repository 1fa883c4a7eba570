import type { Json } from '@casefile/contracts';

/** An answer before it is put on the wire. */
export interface Answer {
  content: string;
  /** The model's own reasoning, in one part or in several. A wire shows it as far as its request asks for it. */
  reasoning?: string | string[] | undefined;
  /** The reasoning comes sealed: nobody but the provider can read it. */
  redacted?: boolean | undefined;
  toolCalls?: SimulatedToolCall[] | undefined;
  usage?: Usage | undefined;
  /** `stop`, `length`, `tool_calls`, `content_filter`, or a word of the wire itself. */
  finishReason?: string | undefined;
  refusal?: string | undefined;
}

export interface SimulatedToolCall {
  id: string;
  name: string;
  /** JSON as text, or what a model took for it. */
  arguments: string;
}

/** Tokens. `output` holds the reasoning, `input` what was read from the cache. */
export interface Usage {
  input: number;
  output: number;
  reasoning: number;
  cached: number;
}

/** The reasoning as its parts; none when there is no reasoning. */
export function reasoningOf({ reasoning = [] }: Answer): string[] {
  return (Array.isArray(reasoning) ? reasoning : [reasoning]).filter((part) => part !== '');
}

/** Why the answer ends, in the words of chat completions. */
export function finishOf({ finishReason, refusal, toolCalls = [] }: Answer): string {
  return finishReason ?? (refusal !== undefined ? 'refusal' : toolCalls.length > 0 ? 'tool_calls' : 'stop');
}

/** Arguments as the wires without JSON in texts carry them: parsed, or the text where that is no JSON. */
export function argumentsOf(call: SimulatedToolCall): Json {
  return parsedArguments(call.arguments);
}

/** JSON as a value, anything else as the text it is. */
export function parsedArguments(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
