// The part of a statement that records results of model calls, and the event each of them makes.
// `held` is the name of a query with (i, run_id, case_id) of the requests whose lease holds.

export const recordResults = (source: string, held: string): string => `
  result as (
    update llm_interactions x set state = p.state, provider = p.provider, model = p.model, response = p.response,
      content = p.content, tool_calls = p.tool_calls, input_tokens = p.input_tokens, output_tokens = p.output_tokens,
      reasoning_tokens = p.reasoning_tokens, cached_tokens = p.cached_tokens, cost_usd = p.cost_usd,
      latency_ms = p.latency_ms, finish_reason = p.finish_reason, error_code = p.error_code,
      has_reasoning = p.has_reasoning, reasoning_content = p.reasoning_content,
      reasoning_summary = p.reasoning_summary, reasoning_source = p.reasoning_source,
      reasoning_kind = p.reasoning_kind, provider_state = p.provider_state, completed_at = now()
    from ${source} join ${held} h on h.i = p.i
    where x.id = p.id and x.run_id = h.run_id and x.state = 'pending'
    returning p.i, x.id, x.stage, x.round, x.unit, x.tool_call_id, x.step, x.attempt, x.provider, x.model, x.state, x.has_reasoning,
      x.cost_usd, x.latency_ms, x.finish_reason, x.error_code, x.reservations, p.charge_usd, p.charge_tokens)`;

/**
 * Records tool calls that a stage ran inside itself. What is on the record at such a place already stays as it is, so that
 * a write that is sent again changes nothing.
 * @param held a query with (i, run_id, unit, case_id, lane, done_stage, done_round).
 */
export const recordCalls = (source: string, held: string): string => `
  inline_call as (
    insert into tool_calls (id, run_id, unit, stage, round, step, seq, case_id, lane, tool, args, state, attempts,
      result, source, reason_code, message, duration_ms, read_from, nudges, settled_at)
    select c.id, m.run_id, m.unit, coalesce(c.stage, m.done_stage), m.done_round, c.step, c.seq, m.case_id, m.lane, c.tool, c.args,
      c.state, c.attempts, c.result, c.source, c.reason_code, c.message, c.duration_ms, c.read_from, 0,
      coalesce(c.settled_at, now())
    from ${source} join ${held} m on m.i = c.i on conflict do nothing
    returning id, run_id, unit, stage, round, step, seq, tool, state, reason_code, duration_ms)`;

/** What the event `interaction.completed` says of a model call, the row `x`. */
export const interactionFacts = (
  x: string,
): string => `json_build_object('interactionId', ${x}.id, 'stage', ${x}.stage,
    'round', ${x}.round, 'unit', ${x}.unit, 'toolCallId', ${x}.tool_call_id, 'step', ${x}.step, 'attempt', ${x}.attempt,
    'provider', ${x}.provider, 'model', ${x}.model, 'state', ${x}.state, 'hasReasoning', ${x}.has_reasoning,
    'costUsd', ${x}.cost_usd, 'latencyMs', ${x}.latency_ms, 'finishReason', ${x}.finish_reason, 'errorCode', ${x}.error_code)`;

/** What the event `tool-call.completed` says of a tool call, the row `t`; as `eventOfCall`. */
export const callFacts = (t: string): string => `json_build_object('stage', ${t}.stage, 'round', ${t}.round,
    'unit', ${t}.unit, 'toolCallId', ${t}.id, 'step', ${t}.step, 'seq', ${t}.seq, 'tool', ${t}.tool, 'state', ${t}.state,
    'reasonCode', ${t}.reason_code, 'durationMs', ${t}.duration_ms)`;

/** Rows (i, n, type, data) of the events of calls that were recorded now, after those of results. */
export const callEvents = (held: string): string => `
  select m.i, -500000 + c.step * 100 + c.seq as n, 'tool-call.completed' as type, ${callFacts('c')} as data
  from inline_call c join ${held} m on m.run_id = c.run_id and m.unit = c.unit`;

/** Answers of another run's record, each with the stage that read it and how long ago that ended. */
export const READ_COLUMNS =
  'i int, id uuid, of uuid, step int, attempt int, tool_call_id uuid, stage text, ago_ms float8';

const ANSWER = `provider, model, prompt_id, request_hash, request, draw, state, response, content, tool_calls, input_tokens,
  output_tokens, reasoning_tokens, cached_tokens, cost_usd, latency_ms, finish_reason, error_code, has_reasoning,
  reasoning_content, reasoning_summary, reasoning_source, reasoning_kind, provider_state, route`;
const ANSWER_OF_X = ANSWER.replace(/\w+/g, 'x.$&');

/**
 * Copies answers of another run to where they were read, with the call that they were the answer to and what it cost then.
 * Nothing is charged for them, and no event tells of a call.
 * @param held a query with (i, run_id, unit, case_id, done_stage, done_round).
 */
export const copyAnswers = (source: string, held: string): string => `
  read_answer as (
    insert into llm_interactions (id, run_id, unit, stage, round, step, attempt, tool_call_id, read_from, created_at,
      completed_at, ${ANSWER})
    select d.id, m.run_id, m.unit, d.stage, m.done_round, d.step, d.attempt, d.tool_call_id, coalesce(x.read_from, x.id),
      now() - coalesce(d.ago_ms, 0) * interval '1 ms', now(), ${ANSWER_OF_X}
    from ${source} join ${held} m on m.i = d.i
      join llm_interactions x on x.id = d.of and x.run_id in (select r.id from runs r where r.case_id = m.case_id)
    on conflict do nothing)`;

/** Rows (i, n, type, data) of the events `interaction.completed`, before all others of their request. */
export const RESULT_EVENTS = `
  select i, -1000000 + step * 1000 + attempt as n, 'interaction.completed' as type, ${interactionFacts('x')} as data
  from result x`;
