-- $1: 
--   {"id":"00000000-0000-7000-8000-000000000005","step":2,"attempt":1,"provider":"openai","model":"m-1","promptId":"triage@1","requestHash":"h1","request":{"messages":[]},"draw":{"seed":"ab12","deadlineAt":1767607200000},"i":0,"runId":"00000000-0000-7000-8000-000000000003","unit":"","stage":"triage","round":1,"epoch":1,"reservations":[{"key":"day:usd","window":"2026-01-05","measure":"usd","amount":100}]}
-- $2: 
--   {"i":0,"id":"00000000-0000-7000-8000-000000000004","state":"completed","provider":"openai","model":"m-1-2026","response":{"choices":[{"text":"yes"}]},"content":"yes","toolCalls":[],"costUsd":0.0012,"latencyMs":150.5,"finishReason":"stop","errorCode":null,"hasReasoning":true,"reasoningContent":"first I look","reasoningSummary":"first I look","reasoningSource":"reasoning_content","inputTokens":10,"outputTokens":5,"reasoningTokens":3,"cachedTokens":1,"chargeUsd":60,"chargeTokens":15}
-- $3: 
--   {"i":0,"key":"day:usd","window":"2026-01-05","measure":"usd","amount":100,"limit":1000,"softAt":800}
with
  request_rows (i, run_id, unit, stage, round, epoch, id, step, attempt, provider, model, prompt_id, request_hash, request, draw, route, reservations) as (
    select * from json_to_recordset($1::json) as r ("i" int, "runId" uuid, "unit" text, "stage" text, "round" int, "epoch" int, "id" uuid, "step" int, "attempt" int, "provider" text, "model" text, "promptId" text, "requestHash" text, "request" json, "draw" json, "route" text, "reservations" json)),
  held as (
    select q.i, u.run_id, u.unit, u.case_id, u.lane, u.stage as done_stage, u.round as done_round,
      null::uuid as tool_call_id from request_rows q cross join lateral (
      select * from units u where u.run_id = q.run_id and u.unit = q.unit and u.run_id = q.run_id and u.unit = q.unit and u.epoch = q.epoch
  and u.status = 'running' and u.stage = q.stage and u.round = q.round for no key update) u),
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
  wanted_rows (i, key, "window", measure, "limit", amount, soft_at) as (
    select * from json_to_recordset($3::json) as r ("i" int, "key" text, "window" text, "measure" text, "limit" bigint, "amount" bigint, "softAt" bigint)),
  wanted as (select w.* from wanted_rows w join held h on h.i = w.i),
  touched as (select key, "window" from wanted union select key, "window" from settling),
  turn as (select pg_advisory_xact_lock(1651860583) from touched where key not like 'case:%' limit 1),
  budget as (
    select l.* from (select * from touched order by key, "window") t cross join lateral (
      select * from budgets b where b.key = t.key and b."window" = t."window" for no key update) l
    where (select count(*) from turn) >= 0),
  judged as (
    select w.*, l.key is not null as known, w."limit" + coalesce(l.raised, 0) as room,
      l.reserved + l.spent - coalesce(s.reserved - s.spent, 0) as used
    from wanted w left join budget l on l.key = w.key and l."window" = w."window"
    left join settling s on s.key = w.key and s."window" = w."window"),
  fitting as (
    select j.*, coalesce(j.used + j.amount <= j.room, false) as alone, coalesce(j.used
      + sum(j.amount) over (partition by j.key, j."window" order by j.i) <= j.room, false) as fits
    from judged j),
  admitted as (select h.* from held h where not exists (select from fitting f where f.i = h.i and not f.fits)),
  intent as (
    insert into llm_interactions (id, run_id, unit, stage, round, step, attempt, provider, model, prompt_id, request_hash, request, draw, route,
      reservations, tool_call_id)
    select q.id, h.run_id, h.unit, h.done_stage, h.done_round, q.step, q.attempt, q.provider, q.model, q.prompt_id,
      q.request_hash, q.request, q.draw, q.route, q.reservations, h.tool_call_id
    from request_rows q join admitted h on h.i = q.i on conflict do nothing returning id),
  delta as (
    select d.key, d."window", min(d.i) as i, sum(d.reserved)::bigint as reserved, sum(d.spent)::bigint as spent,
      max(d."limit") as "limit", min(d.soft_at) as soft_at
    from (
      select f.key, f."window", f.i, f.amount as reserved, 0 as spent, f."limit", f.soft_at
      from fitting f join request_rows q on q.i = f.i join intent n on n.id = q.id
      union all select key, "window", i, -reserved, spent, null, null from settling) d
    group by d.key, d."window"),
  spending as (
    update budgets b
    set reserved = b.reserved + d.reserved, spent = b.spent + d.spent, "limit" = coalesce(d."limit", b."limit"),
      changed_at = now(),
      warned = b.warned or coalesce(b.reserved + d.reserved + b.spent + d.spent >= d.soft_at, false)
    from delta d join budget l on l.key = d.key and l."window" = d."window"
    where b.key = d.key and b."window" = d."window"
    returning d.i, b.key, b."window", b.measure, b."limit", b.reserved + b.spent as used,
      b.warned and not l.warned as crossed),
  reported as (
    insert into events (type, case_id, run_id, data)
    select t.type, h.case_id, h.run_id, t.data
    from (
    select q.i, 0 as n, 'interaction.started' as type, json_build_object('interactionId', q.id, 'stage', h.done_stage,
      'round', h.done_round, 'unit', h.unit, 'toolCallId', h.tool_call_id, 'step', q.step, 'attempt', q.attempt,
      'provider', q.provider, 'model', q.model, 'promptId', q.prompt_id) as data
    from request_rows q join intent n on n.id = q.id join held h on h.i = q.i union all 
    select i, -1000000 + step * 1000 + attempt as n, 'interaction.completed' as type, json_build_object('interactionId', x.id, 'stage', x.stage,
    'round', x.round, 'unit', x.unit, 'toolCallId', x.tool_call_id, 'step', x.step, 'attempt', x.attempt,
    'provider', x.provider, 'model', x.model, 'state', x.state, 'hasReasoning', x.has_reasoning,
    'costUsd', x.cost_usd, 'latencyMs', x.latency_ms, 'finishReason', x.finish_reason, 'errorCode', x.error_code) as data
    from result x union all 
    select i, 1 as n, 'budget.soft' as type, json_build_object('key', key, 'window', "window", 'measure', measure,
    'limit', "limit", 'used', used) as data
  from spending where crossed) t join held h on h.i = t.i order by t.i, t.n)
  select h.i, exists (select from intent n where n.id = q.id)
    or is_call_pending(h.run_id, q.id, q.request_hash) as written, 
    (select json_build_object('key', f.key, 'window', f."window") from fitting f where f.i = h.i and not f.fits
      order by f.key limit 1) as refused,
    (select bool_and(f.alone or not f.known) from fitting f where f.i = h.i) as worth_another,
    (select count(*)::int from spending s where s.i = h.i and s.crossed) as crossed
  from held h join request_rows q on q.i = h.i;
