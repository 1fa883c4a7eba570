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
import type { Spent, TurnOptions } from './controller.js';
import type { StagePorts } from '../../stage-ports.js';

export const NOTHING_SPENT: Spent = { tokens: { input: 0, output: 0 }, costUsd: 0 };
/** Of English text. The tokens of a request are estimated before it and counted after it. */
const CHARACTERS_PER_TOKEN = 4;
/** Tokens of a turn's answer: a few calls and a thought. */
const ANSWER_TOKENS = 250;

/** With one more call of a model; its tokens as `countedTokens` has them. */
export function withResponse(
  spent: Spent,
  request: ModelRequest,
  { content, toolCalls, reasoning, usage, costUsd }: ModelResponse,
): Spent {
  const answer = { content, toolCalls, reasoning: reasoning?.content ?? null, usage };
  const { input, output } = countedTokens(request, answer);
  return plus(spent, input, output, costUsd);
}

/** With what tools spent on models of their own; they say so in `usage` of their result. */
export function withCalls(spent: Spent, calls: readonly ToolCall[]): Spent {
  return calls.reduce((sum, { result }) => {
    const usage = field(result, 'usage');
    if (usage === undefined) return sum;
    const cost = field(usage, 'costUsd');
    const known = typeof cost === 'number' ? cost : cost === null ? null : 0;
    return plus(sum, numberIn(usage, 'inputTokens'), numberIn(usage, 'outputTokens'), known);
  }, spent);
}

/** S4-33: would this request lead past a limit? Asked before each call. */
export function leadsPast(
  { tokens, costUsd }: Spent,
  request: ModelRequest,
  { tokenLimit, costLimitUsd }: Pick<TurnOptions, 'tokenLimit' | 'costLimitUsd'>,
): 'tokens' | 'cost' | null {
  const used = tokens.input + tokens.output;
  const next = tokensOf(request) + ANSWER_TOKENS;
  if (used + next > tokenLimit) return 'tokens';
  // Nothing is known of the price before the first call; the budgets of the run hold the worst case of that one.
  if (costUsd === null || used === 0) return null;
  return costUsd + (costUsd / used) * next > costLimitUsd ? 'cost' : null;
}

/** Estimated tokens of a request. */
export function tokensOf({ messages, tools = [] }: ModelRequest): number {
  return Math.ceil(JSON.stringify([messages, tools]).length / CHARACTERS_PER_TOKEN);
}

function plus({ tokens, costUsd }: Spent, input: number, output: number, cost: number | null): Spent {
  return {
    tokens: { input: tokens.input + input, output: tokens.output + output },
    costUsd: costUsd === null || cost === null ? null : costUsd + cost,
  };
}

function field(value: Json, name: string): Json | undefined {
  return isObject(value) ? value[name] : undefined;
}

function numberIn(value: Json, name: string): number {
  const found = field(value, name);
  return typeof found === 'number' && Number.isFinite(found) ? found : 0;
}

/** S4-31: failures that no further call fixes, and the reason code of the end. */
const PERMANENT: Record<string, string> = {
  bad_key: 'llm_error',
  quota_exhausted: 'llm_error',
  bad_request: 'invalid_schema',
  unknown_model: 'llm_error',
  refused: 'refused',
  bad_answer: 'llm_error',
  too_large: 'llm_error',
};
/** How long is waited when the provider names no time of its own. */
const OUTAGE_DELAY_MS = 30_000;

/** What follows a failed call: the run waits, or the evaluation ends with a reason code. */
type AfterFailure = { later: Later } | { reasonCode: string; error: CasefileError };

/**
 * What follows a call of the model that failed after its attempts. An outage is waited out as long as the patience
 * lasts where the run waits at all; then it is `rate_limit_exceeded` or `llm_error`. An answer that was paid and cannot
 * be used is no outage: after its attempts it is `llm_error`. S4-30, S4-31.
 * @param patientUntil milliseconds since the epoch; null: no patience.
 * @throws what is no failure of the model: of the worker or of this system, or an empty budget, which parks the run.
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

/** S4-30: whether a later try may succeed. */
function isTransient(code: string): boolean {
  return reasonOf(code).retry === true || code === 'circuit_open';
}
