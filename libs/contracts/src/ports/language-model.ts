import { z } from 'zod';
import type { Json, JsonObject } from '../json.js';

/**
 * Purposes of prompts. The rules on encouragement and reasoning depend on them. `retrieval`: choosing where
 * to look; `summary`: of a long tool result; `cross-examination`: whether the sources of each claim support
 * the claim.
 */
export const PROMPT_KINDS = [
  'tool-selection',
  'retrieval',
  'summary',
  'analysis',
  'partial-analysis',
  'answer',
  'critique',
  'cross-examination',
  'write',
] as const;
export type PromptKind = (typeof PROMPT_KINDS)[number];

/**
 * Whether a model reasons before it answers: for all prompts, or per kind of prompt. Default for a kind:
 * true.
 */
export const reasoningSwitchSchema = z.union([
  z.boolean(),
  z.partialRecord(z.enum(PROMPT_KINDS), z.boolean()),
]);
export type ReasoningSwitch = z.infer<typeof reasoningSwitchSchema>;

/** Returns whether the switch turns reasoning on for this kind of prompt. Default: true. */
export function reasonsFor(reasoning: ReasoningSwitch | undefined, kind: PromptKind): boolean {
  return typeof reasoning === 'object' ? (reasoning[kind] ?? true) : (reasoning ?? true);
}

/** The model level that a question goes to. `low`: the cheaper model, if the run has one. */
export const MODEL_LEVELS = ['high', 'low'] as const;
export type ModelLevel = (typeof MODEL_LEVELS)[number];

export interface ModelToolCall {
  /** The provider's id. If the provider sent none: an id that is unique in the conversation. */
  id: string;
  name: string;
  /** The model's arguments: parsed if they are JSON, else the raw text. */
  args: Json;
  /**
   * Size of the arguments in bytes, if it exceeded `MOST_ARGUMENT_BYTES`. `args` then holds the beginning of
   * their JSON, and the call is never made.
   */
  cutFrom?: number;
}

/** Maximum size of the arguments of one call, as JSON in UTF-8. Valid calls have a few hundred bytes. */
export const MOST_ARGUMENT_BYTES = 32_000;

export type ModelMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls?: ModelToolCall[]; providerState?: Json }
  /** `isError`: the call failed, and the content says why. */
  | { role: 'tool'; toolCallId: string; content: string; isError?: boolean };

export interface ModelToolSpec {
  name: string;
  description: string;
  parameters: JsonObject;
}

/**
 * One call as it is recorded, hashed and sent. It contains only JSON and serializes identically every time.
 */
export interface ModelRequest {
  promptId: string;
  kind: PromptKind;
  messages: ModelMessage[];
  tools?: ModelToolSpec[];
  /**
   * `required`: request a tool call. Only used with `tools`. Default: `auto`. Some models cannot enforce it
   * (Anthropic's while they reason), so the caller must still handle an answer in words.
   */
  toolChoice?: 'auto' | 'required';
  /** Schema for structured output, sent if the provider supports it. The answer is validated in any case. */
  answerSchema?: { name: string; schema: JsonObject };
  /** Limit for the visible answer. The adapter adds room for reasoning. */
  maxOutputTokens: number;
  temperature?: number;
  /** Default: `high`. */
  level?: ModelLevel;
  /**
   * false: answer without reasoning, if the model allows it. Default: the setting of the provider's entry.
   */
  reasoning?: boolean;
}

/**
 * Tokens of one or several calls. Reasoning tokens are part of the output, cached tokens part of the input.
 */
export const modelUsageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  reasoningTokens: z.number(),
  cachedTokens: z.number(),
});
export type ModelUsage = z.infer<typeof modelUsageSchema> & {
  /** Part of the input that the provider wrote into its cache, which only the price of the call contains. Default: none. */
  writtenTokens?: number;
};

/**
 * Kinds of reasoning that a provider reveals: all (`raw`), a summary (`summary`), or nothing (`encrypted`:
 * only the provider can read it, `redacted`: withheld for safety).
 */
export const REASONING_KINDS = ['summary', 'raw', 'encrypted', 'redacted'] as const;
export type ReasoningKind = (typeof REASONING_KINDS)[number];

/** The model's reasoning, extracted from the response. */
export interface ModelReasoning {
  /** Empty for `encrypted` and `redacted`, which only the provider can read. */
  content: string;
  /** Default: `raw`. */
  kind?: ReasoningKind;
  /** The provider's field that contained the reasoning, or `tags`. */
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
  /** Cost at list price. null: the price or the usage is unknown. */
  costUsd: number | null;
  /**
   * State of the provider (signed or encrypted reasoning), to return unmodified on the assistant message in
   * the next call of the conversation. Undefined: none.
   */
  providerState?: Json;
  /** The provider rejected the configured `reasoningParams`, and the call was made without them. */
  reasoningParamsRejected?: true;
  /** The provider rejected `toolChoice: required`, and the call was made without it. */
  toolChoiceRejected?: true;
  /**
   * Names of the parameters that the server rejected and the call was made without: `answerSchema`,
   * `temperature`, ...
   */
  paramsRejected?: string[];
  /** Names of the parts of the body that could not be parsed. `raw` contains them. */
  unread?: string[];
}

/** A piece of a streamed answer, for showing progress. `complete` resolves to the whole answer. */
export interface ModelDelta {
  kind: 'content' | 'reasoning';
  text: string;
}

export interface CallOptions {
  signal: AbortSignal;
  /**
   * Identifies the run, step and attempt. Sent to the provider as metadata if the provider accepts metadata.
   */
  callKey: string;
  /** Called with each piece of a streamed answer. Never called if the provider's entry does not stream. */
  onDelta?: (delta: ModelDelta) => void;
}

/**
 * A model behind a provider. `complete` makes exactly one call, without retries, because the caller records
 * every attempt.
 * @throws CasefileError with reason code `rate_limited`, `quota_exhausted`, `bad_key`, `timeout`, `network`,
 * `server_error`, `bad_request`, `refused`, `empty_answer`, `cut_answer`, `bad_answer`, `too_large`,
 * `aborted`. For an unusable answer (`refused`, `empty_answer`, `cut_answer`, `bad_answer`, `too_large`) the
 * error is an UnusableAnswer that contains the part received.
 */
export interface LanguageModel {
  readonly provider: string;
  readonly model: string;
  complete(request: ModelRequest, options: CallOptions): Promise<ModelResponse>;
}

const SUMMARY_CODE_POINTS = 200;

/** Returns the first 200 characters (whole code points), followed by `...` if the text is longer. */
export function summariseReasoning(reasoning: string): string {
  let end = 0;
  let count = 0;
  for (const character of reasoning) {
    if (count === SUMMARY_CODE_POINTS) return `${reasoning.slice(0, end)}...`;
    end += character.length;
    count += 1;
  }
  return reasoning;
}
