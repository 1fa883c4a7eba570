import {
  boundValue,
  boundedResult,
  boundedText,
  type InlineToolCall,
  type InteractionResult,
  type JsonObject,
  type NewEvent,
} from '@casefile/contracts';
import { tableColumns } from '../columns.js';
import { rowSet, type RowIn } from '../row-set.js';

// Rows that a stage writes. `i` is the number of the row's request.

/** Results of model calls. */
export const RESULTS = rowSet('result_rows', {
  i: 'int',
  ...tableColumns(
    'llm_interactions',
    'id',
    'state',
    'provider',
    'model',
    'response',
    'content',
    'tool_calls',
  ),
  ...tableColumns('llm_interactions', 'input_tokens', 'output_tokens', 'reasoning_tokens', 'cached_tokens'),
  ...tableColumns(
    'llm_interactions',
    'cost_usd',
    'latency_ms',
    'finish_reason',
    'error_code',
    'has_reasoning',
  ),
  ...tableColumns('llm_interactions', 'reasoning_content', 'reasoning_summary', 'reasoning_source'),
  ...tableColumns('llm_interactions', 'reasoning_kind', 'provider_state'),
  charge_usd: 'bigint?',
  charge_tokens: 'bigint?',
});
export type ResultRow = RowIn<typeof RESULTS>;

export function resultRow(i: number, unbounded: InteractionResult): ResultRow {
  const { usage, charge, ...result } = boundedResult(unbounded);
  return { i, ...result, ...usage, chargeUsd: charge?.usd, chargeTokens: charge?.tokens };
}

/** Whether the call had a reservation that must be settled. */
export const isCharged = (row: ResultRow): boolean => row.chargeUsd !== undefined;

/** Tool calls that a stage ran inside itself. */
export const CALLS = rowSet('call_rows', {
  i: 'int',
  ...tableColumns('tool_calls', 'id', 'step', 'seq', 'tool', 'args', 'state', 'attempts', 'result', 'source'),
  ...tableColumns('tool_calls', 'reason_code', 'message', 'duration_ms', 'settled_at', 'read_from'),
  stage: 'text?',
});
export type CallRow = RowIn<typeof CALLS>;

export function inlineCallRow(i: number, call: InlineToolCall): CallRow {
  // The fields are listed, because a call object also contains data that is not stored here, such as the
  // complete text of a shortened result.
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
    result: boundValue(call.result),
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

/** Returns the event for the end of a tool call. */
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
  ...tableColumns('events', 'type', 'data'),
  ago_ms: 'float8?',
});

/** The columns of a lease, which identify its unit. */
export const LEASE = {
  i: 'int',
  ...tableColumns('units', 'run_id', 'unit', 'stage', 'round', 'epoch'),
} as const;

/**
 * Locks the units of `request_rows` q that meet `condition`, with one index look-up each, in the order of the
 * requests. `inLockOrder` sorts the requests, so that every statement locks in the same order. A plain join
 * would leave the method to the planner, which scans all units if there were few of them when it planned.
 */
export const lockUnits = (condition: string, columns: string): string => `
    select ${columns} from request_rows q cross join lateral (
      select * from units u where u.run_id = q.run_id and u.unit = q.unit and ${condition} for no key update) u`;

/** Sorts rows by the unit that they lock. */
export function inLockOrder<Row extends { runId: string; unit: string }>(rows: Row[]): Row[] {
  const place = (row: Row): string => `${row.runId.toLowerCase()} ${row.unit}`;
  return rows.sort((a, b) => (place(a) < place(b) ? -1 : 1));
}

/** SQL condition: the lease still holds the unit. For `u` in units and `q` in requests. */
export const HOLDS = `u.run_id = q.run_id and u.unit = q.unit and u.epoch = q.epoch
  and u.status = 'running' and u.stage = q.stage and u.round = q.round`;
