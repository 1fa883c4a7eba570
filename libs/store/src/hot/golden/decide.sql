-- $1: 
--   {"i":0,"runId":"00000000-0000-7000-8000-000000000003","unit":"","stage":"triage","round":1,"epoch":1,"toStatus":"decided","atStage":"triage"}
-- $2: 
--   {"i":0,"artifact":"verdict","body":{"outcome":{"action":"act"},"disposition":"act","confidence":0.9,"confidenceSource":"llm","method":"llm","reasons":[],"citations":[],"degraded":false,"decidedAt":"2026-01-05T10:00:00.000Z"},"agoMs":0}
-- $3: 
--   {"i":0,"status":"decided","disposition":"act","action":"act","confidence":0.9,"degraded":false,"degradedBy":[],"degradedNote":"","method":"llm"}
-- $4: 
--   {"i":0,"id":"00000000-0000-7000-8000-000000000004"}
-- $5: 
--   {"i":0,"n":0,"type":"stage.completed","data":{"stage":"triage","round":1,"unit":"","artifact":"verdict","next":null},"agoMs":0}
--   {"i":0,"n":1,"type":"verdict.decided","data":{"stage":"triage","round":1,"unit":"","disposition":"act","action":"act","confidence":0.9,"degraded":false,"degradedBy":[],"degradedNote":"","method":"llm","deliveryId":"00000000-0000-7000-8000-000000000004"},"agoMs":0}
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
  artifact_rows (i, artifact, body, ago_ms) as (
    select * from json_to_recordset($2::json) as r ("i" int, "artifact" text, "body" json, "agoMs" float8)),
  artifact as (
    insert into artifacts (run_id, unit, artifact, round, body, created_at)
    select h.run_id, h.unit, a.artifact, h.done_round, a.body, now() - coalesce(a.ago_ms, 0) * interval '1 ms'
    from artifact_rows a join held h on h.i = a.i),
  end_rows (i, status, reason_code, message, disposition, action, confidence, degraded) as (
    select * from json_to_recordset($3::json) as r ("i" int, "status" text, "reasonCode" text, "message" text, "disposition" text, "action" text, "confidence" float8, "degraded" boolean)),
  ended as (
    select h.run_id, h.unit, h.case_id, h.lane, e.* from end_rows e join held h on h.i = e.i),
  run as (
    update runs r
    set status = e.status, reason_code = e.reason_code, message = e.message, disposition = e.disposition,
      action = e.action, confidence = e.confidence, degraded = e.degraded,
      decided_at = case when e.status = 'decided' then now() end, ended_at = now()
    from ended e where r.id = e.run_id and (r.status = 'due'
      or (r.status in ('quarantined', 'parked') and e.status not in ('quarantined', 'parked')))),
  decided as (
    select case_id, array_agg(run_id) as runs, json_object_agg(run_id, disposition) as dispositions,
      json_object_agg(run_id, action) as actions from ended where status = 'decided' and lane <> 'shadow' group by case_id),
  shown as (
    update cases c
    set updated_at = now(),
      status = case when c.status <> 'closed' and c.leading_run_id = any(d.runs) then 'decided' else c.status end,
      decided_at = case when c.leading_run_id = any(d.runs) then now() else c.decided_at end,
      disposition = case when c.newest_run_id = any(d.runs) then d.dispositions ->> c.newest_run_id::text else c.disposition end,
      action = case when c.newest_run_id = any(d.runs) then d.actions ->> c.newest_run_id::text else c.action end
    from decided d where c.id = d.case_id returning c.id, c.decided_at, c.leading_run_id),
  halted as (
    update units u
    set status = 'stopped', epoch = u.epoch + 1, lease_until = null, resume_at = null
    from ended e where e.status = 'stopped' and u.run_id = e.run_id and u.unit <> e.unit
      and u.status not in ('finished', 'decided', 'stopped')),
  delivery_rows (i, id, is_unchanged) as (
    select * from json_to_recordset($4::json) as r ("i" int, "id" text, "isUnchanged" boolean)),
  leaving as (
    select d.id, h.i, h.run_id, coalesce(d.is_unchanged, false)
      or (s.leading_run_id is distinct from h.run_id and s.decided_at >= r.created_at) as is_silent
    from delivery_rows d join held h on h.i = d.i join shown s on s.id = h.case_id join runs r on r.id = h.run_id),
  delivery as (
    insert into deliveries (id, run_id, delivered_at)
    select l.id, l.run_id, case when l.is_silent then now() end from leaving l),
  event_rows (i, n, type, data, ago_ms) as (
    select * from json_to_recordset($5::json) as r ("i" int, "n" int, "type" text, "data" json, "agoMs" float8)),
  reported as (
    insert into events (type, case_id, run_id, data, at)
    select t.type, h.case_id, h.run_id, t.data, now() - coalesce(t.ago_ms, 0) * interval '1 ms'
    from (select i, n, type, data, ago_ms from event_rows
      ) t
    join held h on h.i = t.i order by t.i, t.n)
select 'unit' as kind, i, run_id, unit, stage, round, lane, nudges, nudged, null::uuid as id, null as tool, epoch, shared_job from held
union all select 'silent', i, run_id, unit, stage, round, lane, nudges, false, null, null, 0, null from held where i in (select i from leaving where is_silent);
