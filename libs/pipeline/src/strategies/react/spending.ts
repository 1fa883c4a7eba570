import {
  isObject,
  type Json,
  type ModelRequest,
  type ModelResponse,
  type ToolCall,
  asCasefileError,
  later,
  type CasefileError,
  type Later,
  reasonOf,
} from '@casefile/contracts';
import { countedTokens } from '../../counted-tokens.js';
import { isOfAnswer } from '../../ask.js';
import type { EvaluationCost, TurnOptions } from './controller.js';
import type { StagePorts } from '../../stage-ports.js';

export const NOTHING_SPENT: EvaluationCost = { tokens: { input: 0, output: 0 }, costUsd: 0 };
/**
 * Characters per token of English text. Tokens of a request are estimated before the call and counted after
 * it.
 */
const CHARACTERS_PER_TOKEN = 4;
/** Expected tokens of a turn's answer: a few calls and a thought. */
const ANSWER_TOKENS = 250;

/** Adds one model call; its tokens are counted by `countedTokens`. */
export function withResponse(
  spent: EvaluationCost,
  request: ModelRequest,
  { content, toolCalls, reasoning, usage, costUsd }: ModelResponse,
): EvaluationCost {
  const answer = { content, toolCalls, reasoning: reasoning?.content ?? null, usage };
  const { input, output } = countedTokens(request, answer);
  return plus(spent, input, output, costUsd);
}

/** Adds the model usage of tools, from `usage` of their results. */
export function withCalls(spent: EvaluationCost, calls: readonly ToolCall[]): EvaluationCost {
  return calls.reduce((sum, { result }) => {
    const usage = field(result, 'usage');
    if (usage === undefined) return sum;
    const cost = field(usage, 'costUsd');
    const known = typeof cost === 'number' ? cost : cost === null ? null : 0;
    return plus(sum, numberIn(usage, 'inputTokens'), numberIn(usage, 'outputTokens'), known);
  }, spent);
}

/** Returns the limit that this request would exceed. Checked before each call. */
export function leadsPast(
  { tokens, costUsd }: EvaluationCost,
  request: ModelRequest,
  { tokenLimit, costLimitUsd }: Pick<TurnOptions, 'tokenLimit' | 'costLimitUsd'>,
): 'tokens' | 'cost' | null {
  const used = tokens.input + tokens.output;
  const next = modelRequestTokens(request) + ANSWER_TOKENS;
  if (used + next > tokenLimit) return 'tokens';
  // Before the first call the price is unknown. The run's budgets cover the worst case of that call.
  if (costUsd === null || used === 0) return null;
  return costUsd + (costUsd / used) * next > costLimitUsd ? 'cost' : null;
}

/** Estimated tokens of a request. */
export function modelRequestTokens({ messages, tools = [] }: ModelRequest): number {
  return Math.ceil(JSON.stringify([messages, tools]).length / CHARACTERS_PER_TOKEN);
}

function plus(
  { tokens, costUsd }: EvaluationCost,
  input: number,
  output: number,
  cost: number | null,
): EvaluationCost {
  return {
    tokens: { input: tokens.input + input, output: tokens.output + output },
    costUsd: costUsd === null || cost === null ? null : costUsd + cost,
  };
}

function field(value: Json, name: string): Json | undefined {
  return isObject(value) ? value[name] : undefined;
}

function numberIn(value: Json, name: string): number {
  const fieldValue = field(value, name);
  return typeof fieldValue === 'number' && Number.isFinite(fieldValue) ? fieldValue : 0;
}

/** Failures that another call would not fix, with the reason code of the end. */
const PERMANENT: Record<string, string> = {
  bad_key: 'llm_error',
  quota_exhausted: 'llm_error',
  bad_request: 'invalid_schema',
  unknown_model: 'llm_error',
  refused: 'refused',
  bad_answer: 'llm_error',
  too_large: 'llm_error',
};
/** Delay in milliseconds if the provider names no time. */
const OUTAGE_DELAY_MS = 30_000;

/** Reaction to a failed call: the run waits, or the evaluation ends with a reason code. */
type AfterFailure = { later: Later } | { reasonCode: string; error: CasefileError };

/**
 * Decides the reaction to a model call that failed after all attempts. If the run waits for providers, it
 * waits for the end of an outage within the patience. Otherwise the code is `rate_limit_exceeded` or
 * `llm_error`. A paid but unusable answer is not an outage, so its code is `llm_error`.
 * @param patientUntil milliseconds since the epoch; null: no patience
 * @throws errors of the worker or of this system, and an exhausted budget, which parks the run.
 */
export function afterModelFailure(
  thrown: unknown,
  { run, clock, signal }: Pick<StagePorts, 'run' | 'clock' | 'signal'>,
  patientUntil: number | null,
): AfterFailure {
  const error = asCasefileError(thrown);
  const permanent = PERMANENT[error.reasonCode];
  if (signal.aborted || (permanent === undefined && !isTransient(error.reasonCode))) throw thrown;
  if (permanent !== undefined) return { reasonCode: permanent, error };
  const delay = error.retryAfterMs ?? OUTAGE_DELAY_MS;
  const patient = run.settings.onOutage === 'later' && patientUntil !== null && !isOfAnswer(error);
  if (patient && clock.now() + delay < patientUntil) return { later: later(delay, error.reasonCode) };
  return { reasonCode: error.reasonCode === 'rate_limited' ? 'rate_limit_exceeded' : 'llm_error', error };
}

/** Returns whether a later try may succeed. */
function isTransient(code: string): boolean {
  return reasonOf(code).retry === true || code === 'circuit_open';
}
