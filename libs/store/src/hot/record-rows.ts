import {
  bounded,
  boundedResult,
  boundedText,
  type InlineToolCall,
  type InteractionResult,
  type JsonObject,
  type NewEvent,
} from '@casefile/contracts';

// Columns and rows of what a stage writes. `i` names the request a row belongs to.

export const RESULT_COLUMNS = `i int, id uuid, state text, provider text, model text, response json, content text,
  tool_calls json, input_tokens int, output_tokens int, reasoning_tokens int, cached_tokens int, cost_usd float8,
  latency_ms float8, finish_reason text, error_code text, has_reasoning boolean, reasoning_content text,
  reasoning_summary text, reasoning_source text, reasoning_kind text, provider_state json, charge_usd bigint,
  charge_tokens bigint`;

export type ResultRow = ReturnType<typeof resultRow>;

export function resultRow(i: number, unbounded: InteractionResult) {
  const { usage, charge, ...result } = boundedResult(unbounded);
  return { i, ...result, ...usage, chargeUsd: charge?.usd, chargeTokens: charge?.tokens };
}

/** Had the call anything reserved? Only then is there anything to settle. */
export const isCharged = (row: ResultRow): boolean => row.chargeUsd !== undefined;

export const CALL_COLUMNS = `i int, id uuid, step int, seq int, tool text, args json, state text, attempts int,
  result json, source text, reason_code text, message text, duration_ms float8, stage text,
  settled_at timestamptz, read_from uuid`;

export function inlineCallRow(i: number, call: InlineToolCall) {
  // Named one by one: a call comes with all that its tool gave, which may be the whole of a result that was shortened.
  const { id, step, seq, tool, args, state, attempts, source, reasonCode, durationMs } = call;
  return {
    i,
    id,
    step,
    seq,
    tool,
    args,
    state,
    attempts,
    result: bounded(call.result),
    source,
    reasonCode,
    message: boundedText(call.message),
    durationMs,
    settledAt: call.settledAt,
    readFrom: call.readFrom,
  };
}

type SettledCall = Pick<
  InlineToolCall,
  'id' | 'step' | 'seq' | 'tool' | 'state' | 'reasonCode' | 'durationMs'
>;

/** How a tool call ended. */
export function eventOfCall(at: JsonObject, call: SettledCall): NewEvent {
  const { id, step, seq, tool, state, reasonCode, durationMs } = call;
  return {
    type: 'tool-call.completed',
    data: { ...at, toolCallId: id, step, seq, tool, state, reasonCode, durationMs },
  };
}

export const EVENT_COLUMNS = 'i int, n int, type text, data json, ago_ms float8';

export const LEASE_COLUMNS = 'i int, run_id uuid, unit text, stage text, round int, epoch int';

/**
 * Locks the units of the requests `q` that are as `condition` says, one look at the index each, in the order of the
 * requests: those are sorted by `inLockOrder`, so that every statement locks in one order. A plain join would leave the
 * way to the planner, who reads all units when there were few of them at the time of the plan.
 */
export const lockUnits = (requests: string, condition: string, columns: string): string => `
  select ${columns} from ${requests} q cross join lateral (
    select * from units u where u.run_id = q.run_id and u.unit = q.unit and ${condition} for no key update) u`;

/** Sorts rows by the unit they lock. */
export function inLockOrder<Row extends { runId: string; unit: string }>(rows: Row[]): Row[] {
  const place = (row: Row): string => `${row.runId.toLowerCase()} ${row.unit}`;
  return rows.sort((a, b) => (place(a) < place(b) ? -1 : 1));
}

/** Does this lease still hold the unit? For `u` in units and `q` in requests. */
export const HOLDS = `u.run_id = q.run_id and u.unit = q.unit and u.epoch = q.epoch
  and u.status = 'running' and u.stage = q.stage and u.round = q.round`;
