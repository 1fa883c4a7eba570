import type { InlineToolCall, InteractionResult, Lease, AnswerRead } from '@casefile/contracts';
import { bounded, boundedResult, boundedText } from '../storable.js';

// Column lists and rows of what a stage writes. `i` names the request a row belongs to.

export const RESULT_COLUMNS = `i int, id uuid, state text, provider text, model text, response json, content text,
  tool_calls json, input_tokens int, output_tokens int, reasoning_tokens int, cached_tokens int, cost_usd float8,
  latency_ms float8, finish_reason text, error_code text, has_reasoning boolean, reasoning_content text,
  reasoning_summary text, reasoning_source text, reasoning_kind text, provider_state json, charge_usd bigint,
  charge_tokens bigint`;

export type ResultRow = ReturnType<typeof resultRow>;

export function resultRow(i: number, unbounded: InteractionResult) {
  const result = boundedResult(unbounded);
  return {
    i,
    id: result.id,
    state: result.state,
    provider: result.provider,
    model: result.model,
    response: result.response,
    content: result.content,
    tool_calls: result.toolCalls,
    input_tokens: result.usage.inputTokens,
    output_tokens: result.usage.outputTokens,
    reasoning_tokens: result.usage.reasoningTokens,
    cached_tokens: result.usage.cachedTokens,
    cost_usd: result.costUsd,
    latency_ms: result.latencyMs,
    finish_reason: result.finishReason,
    error_code: result.errorCode,
    has_reasoning: result.hasReasoning,
    reasoning_content: result.reasoningContent,
    reasoning_summary: result.reasoningSummary,
    reasoning_source: result.reasoningSource,
    reasoning_kind: result.reasoningKind,
    provider_state: result.providerState,
    charged: result.charge !== undefined,
    charge_usd: result.charge?.usd,
    charge_tokens: result.charge?.tokens,
  };
}

export const CALL_COLUMNS = `i int, id uuid, step int, seq int, tool text, args json, state text, attempts int,
  result json, source text, reason_code text, message text, duration_ms float8, stage text,
  settled_at timestamptz, read_from uuid`;

export function inlineCallRow(i: number, call: InlineToolCall): object {
  return {
    i,
    id: call.id,
    step: call.step,
    seq: call.seq,
    tool: call.tool,
    args: call.args,
    state: call.state,
    attempts: call.attempts,
    result: bounded(call.result),
    source: call.source,
    reason_code: call.reasonCode,
    message: boundedText(call.message),
    duration_ms: call.durationMs,
    settled_at: call.settledAt,
    read_from: call.readFrom,
  };
}

export const READ_COLUMNS =
  'i int, id uuid, of uuid, step int, attempt int, tool_call_id uuid, stage text, ago_ms float8';

/** An answer of another run's record, read by the stage that ended so long ago. */
export function readRow(i: number, stage: string, agoMs: number, read: AnswerRead): object {
  const { id, of, step, attempt, toolCallId } = read;
  return { i, id, of, step, attempt, tool_call_id: toolCallId, stage, ago_ms: agoMs };
}

export const EVENT_COLUMNS = 'i int, n int, type text, data json, ago_ms float8';

export const LEASE_COLUMNS =
  'i int, run_id uuid, unit text, stage text, round int, epoch int, claims boolean';

export function leaseRow(i: number, lease: Lease) {
  const { runId, unit, stage, round, epoch, claimsForMs } = lease;
  const claims = claimsForMs === undefined ? undefined : true;
  return { i, run_id: runId, unit, stage, round, epoch, claims };
}

/**
 * Locks the units of the requests `q` that are as `condition` says, one look at the index each, in the order of the
 * requests: those are sorted by `inLockOrder`, so that every statement locks in one order. A plain join would leave the
 * way to the planner, who reads all units when there were few of them at the time of the plan.
 */
export const lockUnits = (requests: string, condition: string, columns: string): string => `
  select ${columns} from ${requests} q cross join lateral (
    select * from units u where u.run_id = q.run_id and u.unit = q.unit and ${condition} for no key update) u`;

/** Sorts rows by the unit they lock. */
export function inLockOrder<Row extends { run_id: string; unit: string }>(rows: Row[]): Row[] {
  const place = (row: Row): string => `${row.run_id.toLowerCase()} ${row.unit}`;
  return rows.sort((a, b) => (place(a) < place(b) ? -1 : 1));
}

/**
 * Does this lease still hold the unit? For `u` in units and `q` in requests. A lease that claims as it writes holds a unit
 * that is due as long as nobody has claimed it (a claim raises the epoch) or given it back.
 */
export const HOLDS = `u.run_id = q.run_id and u.unit = q.unit and u.epoch = q.epoch
  and (u.status = 'running' or (q.claims and u.status = 'due' and not u.held and u.left_at is null)) and u.stage = q.stage and u.round = q.round`;
