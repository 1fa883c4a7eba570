-- $1: 
--   {"i":0,"runId":"00000000-0000-7000-8000-000000000003","unit":"","stage":"triage","round":1,"epoch":1,"toStatus":"due","keepsCounts":true,"failed":true,"reasonCode":"unexpected","message":"no","resumeInMs":1000,"held":true,"atStage":"triage"}
-- $2: 
--   {"i":0,"n":0,"type":"stage.failed","data":{"stage":"triage","round":1,"unit":"","reasonCode":"unexpected","message":"no","retryInMs":1000},"agoMs":0}
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
  event_rows (i, n, type, data, ago_ms) as (
    select * from json_to_recordset($2::json) as r ("i" int, "n" int, "type" text, "data" json, "agoMs" float8)),
  reported as (
    insert into events (type, case_id, run_id, data, at)
    select t.type, h.case_id, h.run_id, t.data, now() - coalesce(t.ago_ms, 0) * interval '1 ms'
    from (select i, n, type, data, ago_ms from event_rows
      ) t
    join held h on h.i = t.i order by t.i, t.n)
select 'unit' as kind, i, run_id, unit, stage, round, lane, nudges, nudged, null::uuid as id, null as tool, epoch, shared_job from held;
