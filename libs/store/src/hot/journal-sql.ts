import { assignments, tableColumns, copyColumns, insertInto, columnList, type Column } from '../columns.js';
import { rowSet } from '../row-set.js';

// SQL parts that record model calls and tool calls, with their events. They join on `held`: the requests
// whose lease is valid, with the columns i, run_id, unit, case_id, lane, done_stage and done_round.

/** Columns of a model call that hold the provider's response. */
const ANSWER = [
  ...(['state', 'provider', 'model', 'response', 'content', 'tool_calls'] as const),
  ...([
    'input_tokens',
    'output_tokens',
    'reasoning_tokens',
    'cached_tokens',
    'cost_usd',
    'latency_ms',
  ] as const),
  ...(['finish_reason', 'error_code', 'has_reasoning', 'reasoning_content', 'reasoning_summary'] as const),
  ...(['reasoning_source', 'reasoning_kind', 'provider_state'] as const),
] satisfies Column<'llm_interactions'>[];

/** Records RESULTS. The run of each is joined first (`offset 0`), because it determines the partition. */
export const RECORD_RESULTS = `result as (
    update llm_interactions x
    set ${assignments('llm_interactions', { ...copyColumns('p', ...ANSWER), completed_at: 'now()' })}
    from (select p.*, h.run_id from result_rows p join held h on h.i = p.i offset 0) p
    where x.id = p.id and x.run_id = p.run_id and x.state = 'pending'
    returning p.i, p.charge_usd, p.charge_tokens,
      ${columnList('llm_interactions', 'x', 'id', 'stage', 'round', 'unit', 'tool_call_id', 'step', 'attempt')},
      ${columnList('llm_interactions', 'x', 'provider', 'model', 'state', 'has_reasoning', 'cost_usd')},
      ${columnList('llm_interactions', 'x', 'latency_ms', 'finish_reason', 'error_code', 'reservations')})`;

/**
 * Records CALLS. A tool call that is already recorded at the same place is not changed, so a repeated write
 * has no effect.
 */
export const RECORD_CALLS = `inline_call as (
    ${insertInto('tool_calls', {
      run_id: 'h.run_id',
      unit: 'h.unit',
      stage: 'coalesce(c.stage, h.done_stage)',
      round: 'h.done_round',
      case_id: 'h.case_id',
      lane: 'h.lane',
      ...copyColumns('c', 'id', 'step', 'seq', 'tool', 'args', 'state', 'attempts', 'result', 'source'),
      ...copyColumns('c', 'reason_code', 'message', 'duration_ms', 'read_from'),
      nudges: '0',
      settled_at: 'coalesce(c.settled_at, now())',
    })}
    from call_rows c join held h on h.i = c.i on conflict do nothing
    returning ${columnList('tool_calls', '', 'id', 'run_id', 'unit', 'stage', 'round', 'step', 'seq')},
      ${columnList('tool_calls', '', 'tool', 'state', 'reason_code', 'duration_ms')})`;

/** The data of the event `interaction.completed` of a model call, the row `x`. */
export const interactionFacts = (
  x: string,
): string => `json_build_object('interactionId', ${x}.id, 'stage', ${x}.stage,
    'round', ${x}.round, 'unit', ${x}.unit, 'toolCallId', ${x}.tool_call_id, 'step', ${x}.step, 'attempt', ${x}.attempt,
    'provider', ${x}.provider, 'model', ${x}.model, 'state', ${x}.state, 'hasReasoning', ${x}.has_reasoning,
    'costUsd', ${x}.cost_usd, 'latencyMs', ${x}.latency_ms, 'finishReason', ${x}.finish_reason, 'errorCode', ${x}.error_code)`;

/** The data of the event `tool-call.completed` of a tool call, the row `t`, like `eventOfCall`. */
export const callFacts = (t: string): string => `json_build_object('stage', ${t}.stage, 'round', ${t}.round,
    'unit', ${t}.unit, 'toolCallId', ${t}.id, 'step', ${t}.step, 'seq', ${t}.seq, 'tool', ${t}.tool, 'state', ${t}.state,
    'reasonCode', ${t}.reason_code, 'durationMs', ${t}.duration_ms)`;

/**
 * Rows (i, n, type, data) of the events `tool-call.completed` for newly recorded calls, after those of
 * results.
 */
export const CALL_EVENTS = `
    select h.i, -500000 + c.step * 100 + c.seq as n, 'tool-call.completed' as type, ${callFacts('c')} as data
    from inline_call c join held h on h.run_id = c.run_id and h.unit = c.unit`;

/** Rows (i, n, type, data) of the events `interaction.completed`, before all others of their request. */
export const RESULT_EVENTS = `
    select i, -1000000 + step * 1000 + attempt as n, 'interaction.completed' as type, ${interactionFacts('x')} as data
    from result x`;

/** Answers from another run's record, with the stage that read each and the time since that stage ended. */
export const READS = rowSet('read_rows', {
  i: 'int',
  ...tableColumns('llm_interactions', 'id', 'step', 'attempt', 'tool_call_id', 'stage'),
  of: 'uuid',
  ago_ms: 'float8?',
});

/**
 * Copies READS to the stages that read them, with their original calls and costs. They are not charged, and
 * no event reports a call.
 */
export const COPY_ANSWERS = `read_answer as (
    ${insertInto('llm_interactions', {
      id: 'd.id',
      run_id: 'h.run_id',
      unit: 'h.unit',
      stage: 'd.stage',
      round: 'h.done_round',
      ...copyColumns('d', 'step', 'attempt', 'tool_call_id'),
      read_from: 'coalesce(x.read_from, x.id)',
      created_at: "now() - coalesce(d.ago_ms, 0) * interval '1 ms'",
      completed_at: 'now()',
      ...copyColumns('x', ...ANSWER, 'prompt_id', 'request_hash', 'request', 'draw', 'route'),
    })}
    from read_rows d join held h on h.i = d.i
      join llm_interactions x on x.id = d."of" and x.run_id in (select r.id from runs r where r.case_id = h.case_id)
    on conflict do nothing)`;
