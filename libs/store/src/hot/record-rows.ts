import {
  bounded,
  boundedResult,
  boundedText,
  type InlineToolCall,
  type InteractionResult,
  type JsonObject,
  type NewEvent,
} from '@casefile/contracts';
import { columnsOf } from '../columns.js';
import { rowSet, type RowIn } from '../row-set.js';

// Rows that a stage writes. `i` is the number of the request that a row belongs to.

/** Results of model calls. */
export const RESULTS = rowSet('result_rows', {
  i: 'int',
  ...columnsOf('llm_interactions', 'id', 'state', 'provider', 'model', 'response', 'content', 'tool_calls'),
  ...columnsOf('llm_interactions', 'input_tokens', 'output_tokens', 'reasoning_tokens', 'cached_tokens'),
  ...columnsOf('llm_interactions', 'cost_usd', 'latency_ms', 'finish_reason', 'error_code', 'has_reasoning'),
  ...columnsOf('llm_interactions', 'reasoning_content', 'reasoning_summary', 'reasoning_source'),
  ...columnsOf('llm_interactions', 'reasoning_kind', 'provider_state'),
  charge_usd: 'bigint?',
  charge_tokens: 'bigint?',
});
export type ResultRow = RowIn<typeof RESULTS>;

export function resultRow(i: number, unbounded: InteractionResult): ResultRow {
  const { usage, charge, ...result } = boundedResult(unbounded);
  return { i, ...result, ...usage, chargeUsd: charge?.usd, chargeTokens: charge?.tokens };
}

/** Had the call anything reserved? Only then is there anything to settle. */
export const isCharged = (row: ResultRow): boolean => row.chargeUsd !== undefined;

/** Tool calls that a stage ran inside itself. */
export const CALLS = rowSet('call_rows', {
  i: 'int',
  ...columnsOf('tool_calls', 'id', 'step', 'seq', 'tool', 'args', 'state', 'attempts', 'result', 'source'),
  ...columnsOf('tool_calls', 'reason_code', 'message', 'duration_ms', 'settled_at', 'read_from'),
  stage: 'text?',
});
export type CallRow = RowIn<typeof CALLS>;

export function inlineCallRow(i: number, call: InlineToolCall): CallRow {
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

/** Events, `ago_ms` after they happened. */
export const EVENTS = rowSet('event_rows', {
  i: 'int',
  n: 'int',
  ...columnsOf('events', 'type', 'data'),
  ago_ms: 'float8?',
});

/** The columns of a lease, by which the fence finds its unit. */
export const LEASE = {
  i: 'int',
  ...columnsOf('units', 'run_id', 'unit', 'stage', 'round', 'epoch'),
} as const;

/**
 * Locks the units of the `request_rows` q that are as `condition` says, one look at the index each, in the order of the
 * requests: those are sorted by `inLockOrder`, so that every statement locks in one order. A plain join would leave the
 * way to the planner, who reads all units when there were few of them at the time of the plan.
 */
export const lockUnits = (condition: string, columns: string): string => `
    select ${columns} from request_rows q cross join lateral (
      select * from units u where u.run_id = q.run_id and u.unit = q.unit and ${condition} for no key update) u`;

/** Sorts rows by the unit they lock. */
export function inLockOrder<Row extends { runId: string; unit: string }>(rows: Row[]): Row[] {
  const place = (row: Row): string => `${row.runId.toLowerCase()} ${row.unit}`;
  return rows.sort((a, b) => (place(a) < place(b) ? -1 : 1));
}

/** Does this lease still hold the unit? For `u` in units and `q` in requests. */
export const HOLDS = `u.run_id = q.run_id and u.unit = q.unit and u.epoch = q.epoch
  and u.status = 'running' and u.stage = q.stage and u.round = q.round`;
