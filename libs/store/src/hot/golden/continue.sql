-- $1: 
--   {"i":0,"runId":"00000000-0000-7000-8000-000000000003","unit":"","stage":"triage","round":1,"epoch":1,"toStatus":"running","toStage":"collect","toRound":1,"resumeInMs":10000,"nudged":false,"atStage":"triage","claimMs":6000}
-- $2: 
--   {"i":0,"id":"00000000-0000-7000-8000-000000000004","state":"completed","provider":"openai","model":"m-1-2026","response":{"choices":[{"text":"yes"}]},"content":"yes","toolCalls":[],"costUsd":0.0012,"latencyMs":150.5,"finishReason":"stop","errorCode":null,"hasReasoning":true,"reasoningContent":"first I look","reasoningSummary":"first I look","reasoningSource":"reasoning_content","inputTokens":10,"outputTokens":5,"reasoningTokens":3,"cachedTokens":1,"chargeUsd":60,"chargeTokens":15}
-- $3: 
--   {"i":0,"artifact":"brief","body":{"text":"for collect"},"agoMs":0}
-- $4: 
--   {"i":0,"id":"00000000-0000-7000-8000-000000000005","step":2,"seq":0,"tool":"rdap","args":{"of":"example.test"},"state":"succeeded","attempts":1,"result":{"found":true},"source":"rdap","reasonCode":null,"message":null,"durationMs":12.5,"stage":"triage"}
-- $5: 
--   {"i":0,"n":0,"type":"tool-call.completed","data":{"stage":"triage","round":1,"unit":"","toolCallId":"00000000-0000-7000-8000-000000000005","step":2,"seq":0,"tool":"rdap","state":"succeeded","reasonCode":null,"durationMs":12.5},"agoMs":0}
--   {"i":0,"n":1,"type":"stage.completed","data":{"stage":"triage","round":1,"unit":"","artifact":"brief","next":{"stage":"collect","round":1}},"agoMs":0}
with
  request_rows (i, run_id, unit, stage, round, epoch, to_status, to_stage, to_round, resume_in_ms, held, nudged, keeps_counts, failed, ends_at, at_stage, claim_ms, wait_step, wait_signal, reason_code, message, open_units, shared_job) as (
    select * from json_to_recordset($1::json) as r ("i" int, "runId" uuid, "unit" text, "stage" text, "round" int, "epoch" int, "toStatus" text, "toStage" text, "toRound" int, "resumeInMs" float8, "held" boolean, "nudged" boolean, "keepsCounts" boolean, "failed" boolean, "endsAt" text, "atStage" text, "claimMs" float8, "waitStep" int, "waitSignal" text, "reasonCode" text, "message" text, "openUnits" int, "sharedJob" uuid)),
  locked as (
    select u.run_id, u.unit from request_rows q cross join lateral (
      select * from units u where u.run_id = q.run_id and u.unit = q.unit and u.run_id = q.run_id and u.unit = q.unit and u.epoch = q.epoch
  and u.status = 'running' and u.stage = q.stage and u.round = q.round for no key update) u),
  held as (
    update units u
    set status = q.to_status, stage = coalesce(q.to_stage, q.at_stage), round = coalesce(q.to_round, u.round),
      nudges = u.nudges + coalesce(q.nudged, false)::int, shared_job = case when u.lane = 'live' then q.shared_job end,
      epoch = u.epoch + (q.claim_ms is not null)::int, lease_until = now() + q.claim_ms * interval '1 ms',
      resume_at = now() + coalesce(q.claim_ms, q.resume_in_ms) * interval '1 ms', held = coalesce(q.held, false),
      crashes = case when q.keeps_counts and q.at_stage = q.stage then u.crashes else 0 end,
      first_crash_at = case when q.keeps_counts and q.at_stage = q.stage then u.first_crash_at end,
      failures = case when q.keeps_counts and q.at_stage = q.stage then u.failures else 0 end + coalesce(q.failed, false)::int,
      wait_step = q.wait_step, wait_signal = q.wait_signal, wait_over = false, open_units = coalesce(q.open_units, 0),
      left_at = case when q.failed then now() end,
      paused_ms = case when q.to_stage is null and q.at_stage = q.stage then u.paused_ms else 0 end,
      reason_code = q.reason_code, message = q.message
    from request_rows q join locked l on l.run_id = q.run_id and l.unit = q.unit
    where u.run_id = q.run_id and u.unit = q.unit and u.epoch = q.epoch
  and u.status = 'running' and u.stage = q.stage and u.round = q.round
    returning q.i, coalesce(q.nudged, false) as nudged, q.ends_at, q.at_stage as done_stage, q.round as done_round,
      u.case_id, u.epoch, u.shared_job, u.run_id, u.unit, u.stage, u.round, u.lane, u.nudges),
  result_rows (i, id, state, provider, model, response, content, tool_calls, input_tokens, output_tokens, reasoning_tokens, cached_tokens, cost_usd, latency_ms, finish_reason, error_code, has_reasoning, reasoning_content, reasoning_summary, reasoning_source, reasoning_kind, provider_state, charge_usd, charge_tokens) as (
    select * from json_to_recordset($2::json) as r ("i" int, "id" uuid, "state" text, "provider" text, "model" text, "response" json, "content" text, "toolCalls" json, "inputTokens" int, "outputTokens" int, "reasoningTokens" int, "cachedTokens" int, "costUsd" float8, "latencyMs" float8, "finishReason" text, "errorCode" text, "hasReasoning" boolean, "reasoningContent" text, "reasoningSummary" text, "reasoningSource" text, "reasoningKind" text, "providerState" json, "chargeUsd" bigint, "chargeTokens" bigint)),
  result as (
    update llm_interactions x
    set state = p.state, provider = p.provider, model = p.model, response = p.response, content = p.content,
      tool_calls = p.tool_calls, input_tokens = p.input_tokens, output_tokens = p.output_tokens,
      reasoning_tokens = p.reasoning_tokens, cached_tokens = p.cached_tokens, cost_usd = p.cost_usd,
      latency_ms = p.latency_ms, finish_reason = p.finish_reason, error_code = p.error_code,
      has_reasoning = p.has_reasoning, reasoning_content = p.reasoning_content,
      reasoning_summary = p.reasoning_summary, reasoning_source = p.reasoning_source,
      reasoning_kind = p.reasoning_kind, provider_state = p.provider_state, completed_at = now()
    from (select p.*, h.run_id from result_rows p join held h on h.i = p.i offset 0) p
    where x.id = p.id and x.run_id = p.run_id and x.state = 'pending'
    returning p.i, p.charge_usd, p.charge_tokens,
      x.id, x.stage, x.round, x.unit, x.tool_call_id, x.step, x.attempt,
      x.provider, x.model, x.state, x.has_reasoning, x.cost_usd,
      x.latency_ms, x.finish_reason, x.error_code, x.reservations),
  settling as (
    select e.key, e."window", min(x.i) as i, sum(e.amount)::bigint as reserved, sum(coalesce(
      case e.measure when 'usd' then x.charge_usd else x.charge_tokens end, e.amount))::bigint as spent
    from result x cross join lateral json_to_recordset(x.reservations)
      as e(key text, "window" text, measure text, amount bigint)
    group by e.key, e."window"),
  touched as (select key, "window" from settling),
  turn as (select pg_advisory_xact_lock(1651860583) from touched where key not like 'case:%' limit 1),
  budget as (
    select l.* from (select * from touched order by key, "window") t cross join lateral (
      select * from budgets b where b.key = t.key and b."window" = t."window" for no key update) l
    where (select count(*) from turn) >= 0),
  settled as (
    update budgets b
    set reserved = b.reserved - s.reserved, spent = b.spent + s.spent, changed_at = now()
    from settling s join budget l on l.key = s.key and l."window" = s."window"
    where b.key = s.key and b."window" = s."window"),
  artifact_rows (i, artifact, body, ago_ms) as (
    select * from json_to_recordset($3::json) as r ("i" int, "artifact" text, "body" json, "agoMs" float8)),
  artifact as (
    insert into artifacts (run_id, unit, artifact, round, body, created_at)
    select h.run_id, h.unit, a.artifact, h.done_round, a.body, now() - coalesce(a.ago_ms, 0) * interval '1 ms'
    from artifact_rows a join held h on h.i = a.i),
  call_rows (i, id, step, seq, tool, args, state, attempts, result, source, reason_code, message, duration_ms, settled_at, read_from, stage) as (
    select * from json_to_recordset($4::json) as r ("i" int, "id" uuid, "step" int, "seq" int, "tool" text, "args" json, "state" text, "attempts" int, "result" json, "source" text, "reasonCode" text, "message" text, "durationMs" float8, "settledAt" timestamptz, "readFrom" uuid, "stage" text)),
  inline_call as (
    insert into tool_calls (run_id, unit, stage, round, case_id, lane, id, step, seq, tool, args, state, attempts, result, source,
      reason_code, message, duration_ms, read_from, nudges, settled_at)
    select h.run_id, h.unit, coalesce(c.stage, h.done_stage), h.done_round, h.case_id, h.lane, c.id, c.step, c.seq, c.tool,
      c.args, c.state, c.attempts, c.result, c.source, c.reason_code, c.message, c.duration_ms, c.read_from, 0,
      coalesce(c.settled_at, now())
    from call_rows c join held h on h.i = c.i on conflict do nothing
    returning id, run_id, unit, stage, round, step, seq,
      tool, state, reason_code, duration_ms),
  event_rows (i, n, type, data, ago_ms) as (
    select * from json_to_recordset($5::json) as r ("i" int, "n" int, "type" text, "data" json, "agoMs" float8)),
  reported as (
    insert into events (type, case_id, run_id, data, at)
    select t.type, h.case_id, h.run_id, t.data, now() - coalesce(t.ago_ms, 0) * interval '1 ms'
    from (select i, n, type, data, ago_ms from event_rows
      union all select e.*, null from (
    select i, -1000000 + step * 1000 + attempt as n, 'interaction.completed' as type, json_build_object('interactionId', x.id, 'stage', x.stage,
    'round', x.round, 'unit', x.unit, 'toolCallId', x.tool_call_id, 'step', x.step, 'attempt', x.attempt,
    'provider', x.provider, 'model', x.model, 'state', x.state, 'hasReasoning', x.has_reasoning,
    'costUsd', x.cost_usd, 'latencyMs', x.latency_ms, 'finishReason', x.finish_reason, 'errorCode', x.error_code) as data
    from result x) e) t
    join held h on h.i = t.i order by t.i, t.n)
select 'unit' as kind, i, run_id, unit, stage, round, lane, nudges, nudged, null::uuid as id, null as tool, epoch, shared_job from held;
