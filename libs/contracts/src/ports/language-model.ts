import { z } from 'zod';
import type { Json, JsonObject } from '../json.js';

/**
 * What prompts are for. Rules on encouragement and reasoning go by this. `retrieval`: choosing where to look; `summary`: of the
 * long result of a tool; `cross-examination`: whether the sources of each claim support it.
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

/** Is a model to think before it answers: for every prompt or for none, or by kind of prompt (a kind not named: yes). S2-07. */
export const reasoningSwitchSchema = z.union([
  z.boolean(),
  z.partialRecord(z.enum(PROMPT_KINDS), z.boolean()),
]);
export type ReasoningSwitch = z.infer<typeof reasoningSwitchSchema>;

/** What a switch says of one kind of prompt; no switch says yes. */
export function reasonsFor(reasoning: ReasoningSwitch | undefined, kind: PromptKind): boolean {
  return typeof reasoning === 'object' ? (reasoning[kind] ?? true) : (reasoning ?? true);
}

/** Which of a run's models a question goes to: `low` is the cheaper one, where there is one. */
export const MODEL_LEVELS = ['high', 'low'] as const;
export type ModelLevel = (typeof MODEL_LEVELS)[number];

export interface ModelToolCall {
  /** The provider's own; where it gave none, one that no other call of the conversation has. */
  id: string;
  name: string;
  /** Arguments as the model wrote them, parsed when they are JSON, else the raw text. */
  args: Json;
  /**
   * Bytes of the arguments where they were more than `MOST_ARGUMENT_BYTES`: `args` is the beginning of their JSON then. Such
   * a call is never made.
   */
  cutFrom?: number;
}

/** Arguments of one call, as JSON in UTF-8; those of an honest call have a few hundred. */
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

/** One call as it is recorded, hashed and sent. Everything in it is JSON and the same on every rendering. */
export interface ModelRequest {
  promptId: string;
  kind: PromptKind;
  messages: ModelMessage[];
  tools?: ModelToolSpec[];
  /**
   * `required`: the answer is to be a tool call. Means nothing without `tools`. It is a wish all the same: some models
   * cannot be held to it (Anthropic's while they think), so an answer in words is still the caller's to handle. Not
   * given: `auto`. S4-01.
   */
  toolChoice?: 'auto' | 'required';
  /** Structured output is asked for where the provider has it; the answer is validated in any case. */
  answerSchema?: { name: string; schema: JsonObject };
  /** Of the visible answer: room for thoughts is added by whoever knows the provider. S2-06. */
  maxOutputTokens: number;
  temperature?: number;
  /** Not given: `high`. */
  level?: ModelLevel;
  /** false: answer without thinking first, as far as the model can. Not given: as its provider's entry says. S2-07. */
  reasoning?: boolean;
}

/** Tokens of one call, or of several. Reasoning is a part of the output, what was cached a part of the input. */
export const modelUsageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  reasoningTokens: z.number(),
  cachedTokens: z.number(),
});
export type ModelUsage = z.infer<typeof modelUsageSchema>;

/**
 * What the provider lets be seen of the model's reasoning: all of it (`raw`), an account of it (`summary`), or only
 * that there was some (`encrypted`: for the provider to read again, `redacted`: withheld for safety).
 */
export const REASONING_KINDS = ['summary', 'raw', 'encrypted', 'redacted'] as const;
export type ReasoningKind = (typeof REASONING_KINDS)[number];

/** The model's own reasoning, taken from the response. S2-10. */
export interface ModelReasoning {
  /** Empty for the kinds `encrypted` and `redacted`: nobody but the provider can read those. */
  content: string;
  /** Not given: `raw`. */
  kind?: ReasoningKind;
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
  /** At list price; null when the price is not known, or the provider did not say what was used. */
  costUsd: number | null;
  /**
   * What the provider wants back, unmodified, with this answer in the next call of the conversation (signed or
   * encrypted reasoning): goes on the assistant message. Absent when there is nothing of the kind.
   */
  providerState?: Json;
  /** The provider does not take the configured `reasoningParams`: this call was made without them. S2-04. */
  reasoningParamsRejected?: true;
  /** The provider refuses to have a tool call required: this call was made without. S4-01. */
  toolChoiceRejected?: true;
  /** Every parameter that the server refuses and this call was made without, by name: `answerSchema`, `temperature`, ... */
  paramsRejected?: string[];
  /** Names of parts of the body that could not be read; they are in `raw`. */
  unread?: string[];
}

/** A piece of an answer on its way, for showing progress; the answer is what `complete` resolves to. */
export interface ModelDelta {
  kind: 'content' | 'reasoning';
  text: string;
}

export interface CallOptions {
  signal: AbortSignal;
  /** Which (run, step, attempt) this is; sent to the provider as metadata where it takes any. */
  callKey: string;
  /** Hears the pieces of a streamed answer; never called where the provider's entry does not stream. */
  onDelta?: (delta: ModelDelta) => void;
}

/**
 * A model behind a provider.
 *
 * `complete` makes exactly one call: no retry inside, for every attempt is recorded by the caller.
 * @throws CasefileError with reason code `rate_limited`, `quota_exhausted`, `bad_key`, `timeout`,
 * `network`, `server_error`, `bad_request`, `refused`, `empty_answer`, `cut_answer`, `bad_answer`, `too_large`,
 * `aborted`. What came of an answer that cannot be used (`refused`, `empty_answer`, `cut_answer`, `bad_answer`,
 * `too_large`) is in an UnusableAnswer, as far as it came.
 */
export interface LanguageModel {
  readonly provider: string;
  readonly model: string;
  complete(request: ModelRequest, options: CallOptions): Promise<ModelResponse>;
}

const SUMMARY_CODE_POINTS = 200;

/** The first 200 characters (whole code points) and `...` when there are more, else all of it. S2-12. */
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
