-- $1: 
--   {"i":0,"runId":"00000000-0000-7000-8000-000000000003","unit":"","stage":"triage","round":1,"readsAlert":true,"names":["brief"],"joins":false,"leaseMs":6000,"crashesBelow":1000000}
with
  request_rows (i, run_id, unit, stage, round, reads_alert, names, joins, lease_ms, crashes_below) as (
    select * from json_to_recordset($1::json) as r ("i" int, "runId" uuid, "unit" text, "stage" text, "round" int, "readsAlert" boolean, "names" text[], "joins" boolean, "leaseMs" int, "crashesBelow" int)),
  locked as (
    select u.run_id, u.unit from request_rows q cross join lateral (
      select * from units u where u.run_id = q.run_id and u.unit = q.unit and u.status = 'due' and u.stage = q.stage and u.round = q.round
  and (not u.held or u.resume_at <= now()) and u.crashes < q.crashes_below for no key update) u),
  work as (
    update units u
    set status = 'running', epoch = u.epoch + 1, held = false,
      paused_ms = least(86400000, u.paused_ms
  + greatest(0, coalesce(floor(extract(epoch from now() - u.left_at) * 1000), 0))),
      left_at = null, lease_until = now() + q.lease_ms * interval '1 ms',
      resume_at = now() + q.lease_ms * interval '1 ms'
    from request_rows q join locked l on l.run_id = q.run_id and l.unit = q.unit
    where u.run_id = q.run_id and u.unit = q.unit and u.status = 'due' and u.stage = q.stage and u.round = q.round
  and (not u.held or u.resume_at <= now()) and u.crashes < q.crashes_below
    returning q.*, u.wait_signal, u.epoch, u.case_id, u.lane, u.crashes, u.failures, u.wait_over, u.paused_ms)
  select w.i, w.epoch, w.case_id, w.lane, w.crashes, w.failures, w.wait_over, w.paused_ms,
    (select s.epoch from units s where s.run_id = w.run_id and s.unit = w.unit) as seen_epoch, 
  r.settings, r.trace,
  case when w.reads_alert then (select row_to_json(a) from alerts a where a.id = r.alert_id) end as alert,
  case when cardinality(w.names) > 0 then (
    select json_agg(json_build_object('unit', a.unit, 'artifact', a.artifact, 'round', a.round, 'body', a.body) order by a.round)
    from artifacts a
    where a.run_id = w.run_id and a.artifact = any(w.names) and (w.joins or a.unit in (w.unit, ''))) end as artifacts,
  case when w.joins then (
    select json_agg(s.unit order by s.unit) from units s where s.run_id = w.run_id and s.unit <> '') end as units,
  calls_of_step(w.run_id, w.unit, w.stage, w.round) as interactions,
  (select json_agg(row_to_json(t) order by t.step, t.seq) from tool_calls t
    where t.run_id = w.run_id and t.unit = w.unit and t.stage = w.stage and t.round = w.round) as tool_calls,
  case when w.wait_signal is not null then (
    select json_agg(row_to_json(s) order by s.step) from signals s
    where s.run_id = w.run_id and s.unit = w.unit and s.stage = w.stage and s.round = w.round) end as signals
  from work w join runs r on r.id = w.run_id;
