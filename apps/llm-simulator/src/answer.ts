import type { Json } from '@casefile/contracts';

/** An answer before it is converted to a wire format. */
export interface Answer {
  content: string;
  /**
   * The model's reasoning, in one or several parts. A wire shows the reasoning as far as the request asks for
   * it.
   */
  reasoning?: string | string[] | undefined;
  /** Whether the reasoning is sealed: only the provider can read it. */
  redacted?: boolean | undefined;
  toolCalls?: SimulatedToolCall[] | undefined;
  usage?: Usage | undefined;
  /** `stop`, `length`, `tool_calls`, `content_filter`, or a value of the wire itself. */
  finishReason?: string | undefined;
  refusal?: string | undefined;
}

export interface SimulatedToolCall {
  id: string;
  name: string;
  /** JSON text, or invalid text that the model produced instead. */
  arguments: string;
}

/** In tokens. `output` includes the reasoning, `input` includes tokens read from the cache. */
export interface Usage {
  input: number;
  output: number;
  reasoning: number;
  cached: number;
}

/** Returns the parts of the reasoning; empty if there is none. */
export function answerReasoning({ reasoning = [] }: Answer): string[] {
  return (Array.isArray(reasoning) ? reasoning : [reasoning]).filter((part) => part !== '');
}

/** Returns the finish reason in the words of chat completions. */
export function answerFinish({ finishReason, refusal, toolCalls = [] }: Answer): string {
  return finishReason ?? (refusal !== undefined ? 'refusal' : toolCalls.length > 0 ? 'tool_calls' : 'stop');
}

/** Returns arguments for wires that carry them as JSON values: parsed, or as text if they are not JSON. */
export function callArguments(call: SimulatedToolCall): Json {
  return parsedArguments(call.arguments);
}

/** Parses JSON; returns other text unchanged. */
export function parsedArguments(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
