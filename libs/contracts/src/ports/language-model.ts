import type { Json, JsonObject } from '../json.js';

/** What a prompt is for. Rules on encouragement and tools go by this. */
export type PromptKind = 'tool-selection' | 'analysis' | 'partial-analysis' | 'answer' | 'critique' | 'write';

export interface ModelToolCall {
  id: string;
  name: string;
  /** Arguments as the model wrote them, parsed when they are JSON, else the raw text. */
  args: Json;
}

export type ModelMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls?: ModelToolCall[]; providerState?: Json }
  | { role: 'tool'; toolCallId: string; content: string };

export interface ModelToolSpec {
  name: string;
  description: string;
  parameters: JsonObject;
}

/** One call as it is recorded, hashed and sent. Everything in it is JSON and the same on every rendering. */
export interface ModelRequest {
  promptId: string;
  kind: PromptKind;
  messages: ModelMessage[];
  tools?: ModelToolSpec[];
  /** Structured output is asked for where the provider has it; the answer is validated in any case. */
  answerSchema?: { name: string; schema: JsonObject };
  maxOutputTokens: number;
  temperature?: number;
}

export interface ModelUsage {
  inputTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  cachedTokens: number;
}

/** The model's own reasoning, taken from the response. S2-10. */
export interface ModelReasoning {
  content: string;
  /** Where it was found: the provider's field by name, or `tags`. */
  source: string;
}

export interface ModelResponse {
  provider: string;
  model: string;
  /** The final answer, without reasoning blocks. */
  content: string;
  toolCalls: ModelToolCall[];
  finishReason: string;
  usage: ModelUsage;
  reasoning: ModelReasoning | null;
  /** The provider's body as received (bounded), for the record. */
  raw: Json;
  /** At list price; null when the price is not known. */
  costUsd: number | null;
}

export interface CallOptions {
  signal: AbortSignal;
  /** Which (run, step, attempt) this is; sent to the provider as metadata where it takes any. */
  callKey: string;
}

/**
 * A model behind a provider.
 *
 * `complete` makes exactly one call: no retry inside, for every attempt is recorded by the caller.
 * @throws CasefileError with reason code `rate_limited`, `quota_exhausted`, `bad_key`, `timeout`,
 * `network`, `server_error`, `bad_request`, `refused`, `empty_answer`, `cut_answer`, `bad_answer`, `too_large`,
 * `aborted`. A `refused` or `empty_answer` that was paid is an UnusableAnswer with the response in it.
 */
export interface LanguageModel {
  readonly provider: string;
  readonly model: string;
  complete(request: ModelRequest, options: CallOptions): Promise<ModelResponse>;
}
