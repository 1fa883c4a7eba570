begin;

-- $1: ["key key","fingerprint print"]
select pg_advisory_xact_lock(s.h) from (
  select distinct hashtextextended(k, 7) as h from unnest($1::text[]) k order by 1 offset 0) s;

-- $1: ["key"]
-- $2: ["00000000-0000-7000-8000-000000000001"]
-- $3: ["print"]
-- $4: []
-- $5: []
-- $6: []
with found as (
    select c.id, c.fingerprint, c.status, (extract(epoch from (now() - c.decided_at)) * 1000)::float8 as ago, c.newest_run_id, c.leading_run_id,
      c.started_at, c.covered_at, c.resolved_at, c.flaps, c.peak
    from cases c where (c.status <> 'closed' and c.fingerprint = any($3::text[]))
      or (c.status <> 'closed' and c.id = any(array(select k.case_id from idempotency_keys k where k.key = any($4::text[]))))
      or (c.status = 'closed' and c.fingerprint = any($5::text[]))
    order by c.id for no key update of c)
  select
    (select json_agg(json_build_object('key', k.key, 'bodyDigest', k.body_digest, 'alertId', k.alert_id,
      'caseId', k.case_id, 'runId', k.run_id, 'joined', k.joined, 'ignored', k.ignored))
     from idempotency_keys k where k.key = any($1::text[])) as keys,
    (select json_agg(json_build_object('alertId', a.id, 'caseId', a.case_id, 'joined', a.created_at > c.created_at,
      'runId', coalesce((select r.id from runs r where r.case_id = a.case_id and r.alert_id = a.id limit 1), c.newest_run_id)))
     from alerts a join cases c on c.id = a.case_id where a.id = any($2::uuid[])) as alerts,
    (select json_agg(json_build_object('id', f.id, 'fingerprint', f.fingerprint, 'status', f.status,
      'decidedAgoMs', case when (exists (
      select from reviews v where v.case_id = f.id and v.run_id = f.leading_run_id
        and v.state in ('answered', 'disputed'))) then least(f.ago, (select (extract(epoch from (now() - max(r.created_at))) * 1000)::float8 from runs r
  where r.case_id = f.id and (r.lane = 'live' or (r.lane = 'batch' and r.settings ->> 'outward' is distinct from 'false')))) else f.ago end,
      'isAnswered', (exists (
      select from reviews v where v.case_id = f.id and v.run_id = f.leading_run_id
        and v.state in ('answered', 'disputed'))), 'newestRunId', f.newest_run_id, 'verdict', (
  select json_build_object('runId', r.id, 'provider', r.settings ->> 'provider', 'method', a.body ->> 'method',
    'decidedAt', a.body ->> 'decidedAt', 'degraded', (a.body ->> 'degraded')::boolean,
    'degradedBy', coalesce(a.body -> 'degradedBy', '[]'::json), 'degradedNote', coalesce(a.body ->> 'degradedNote', ''),
    'isCorrected', exists (select from corrected_verdicts v where v.case_id = f.id and v.run_id = r.id
      and v.due_at is not null and v.cancelled_at is null))
  from runs r join artifacts a on a.run_id = r.id and a.artifact = 'verdict'
  where r.id = f.leading_run_id limit 1),
      'isStormMember', f.fingerprint = any($5::text[]) and coalesce((
  select m.state in ('waiting', 'taken') and l.resolved_at is null and l.status <> 'closed'
  from storm_members m join cases l on l.id = m.storm_id where m.case_id = f.id order by m.joined_at desc limit 1), false),
      'occurrences', case when f.fingerprint = any($5::text[]) then (
  select json_build_object('startedAt', (extract(epoch from f.started_at) * 1000)::float8, 'coveredAt', (extract(epoch from f.covered_at) * 1000)::float8,
    'isResolved', f.resolved_at is not null, 'flaps', f.flaps,
    'lastAgoMs', coalesce((select (extract(epoch from (now() - max(a.created_at))) * 1000)::float8 from alerts a where a.case_id = f.id), 0),
    'peak', coalesce(f.peak, '{"severity":"unknown","level":"firing","affected":null}'::json),
    'isUnderWay', coalesce(bool_or(r.id = f.leading_run_id and r.status in ('due', 'parked')), false),
    'runsLastHour', count(*) filter (where (r.lane = 'live' or (r.lane = 'batch' and r.settings ->> 'outward' is distinct from 'false')) and r.created_at > now() - interval '1 hour'))
  from runs r where r.case_id = f.id) end) order by f.status = 'closed' desc)
     from found f) as cases,
    (select json_agg(p.provider) from provider_states p
     where p.state <> 'closed' and greatest(p.opened_until, p.probe_until) > now()) as "providersOut",
    (select json_agg(json_build_object('fingerprint', o.fingerprint, 'startedAt', (extract(epoch from o.started_at) * 1000)::float8,
      'at', (extract(epoch from o.at) * 1000)::float8, 'agoMs', (extract(epoch from (now() - o.at)) * 1000)::float8))
     from recoveries o where o.fingerprint = any($5::text[])) as recoveries,
    (select json_agg(json_build_object('id', s.case_id, 'playbook', s.playbook, 'keys', s.keys, 'isMapped', s.is_mapped,
      'severity', s.severity, 'firstAt', (extract(epoch from s.first_at) * 1000)::float8, 'lastAt', (extract(epoch from s.last_at) * 1000)::float8,
      'seenAgoMs', (extract(epoch from (now() - s.seen_at)) * 1000)::float8,
      'isOpen', c.resolved_at is null and c.status <> 'closed' and not (exists (
      select from reviews v where v.case_id = c.id and v.run_id = c.leading_run_id
        and v.state in ('answered', 'disputed')))))
     from storms s join cases c on c.id = s.case_id
     where s.keys && $6::text[] and s.seen_at > now() - interval '1 day') as storms;

-- $1: 
--   {"id":"00000000-0000-7000-8000-000000000002","isNew":true,"playbook":"scam-verdict","fingerprint":"print","alerts":1,"text":"Your parcel is held, pay at http://parcel.example","runId":"00000000-0000-7000-8000-000000000003","lane":"live","dataset":null,"resolved":null,"joinedBy":null,"status":null,"startedAt":null,"coveredAt":null,"flaps":null,"peak":null}
-- $2: 
--   {"id":"00000000-0000-7000-8000-000000000001","playbook":"scam-verdict","text":"Your parcel is held, pay at http://parcel.example","image":null,"rest":{},"imageType":null,"receivedAt":"2026-01-05T10:00:00.000Z","caseId":"00000000-0000-7000-8000-000000000002"}
-- $3: 
--   {"runId":"00000000-0000-7000-8000-000000000003","caseId":"00000000-0000-7000-8000-000000000002","alertId":"00000000-0000-7000-8000-000000000001","lane":"live","settings":{"playbook":"scam-verdict","playbookVersion":"1","strategy":"heuristic","policy":"risk-level","provider":"none","model":"none","promptIds":{},"tools":[],"maxRounds":1,"onOutage":"fallback","options":{}},"trace":null,"firstStage":"triage","claimForMs":6000}
-- $4: 
--   {"key":"key","bodyDigest":"digest","alertId":"00000000-0000-7000-8000-000000000001","caseId":"00000000-0000-7000-8000-000000000002","runId":"00000000-0000-7000-8000-000000000003","joined":false,"ignored":null}
-- $5: 
--   {"n":0,"type":"alert.accepted","caseId":"00000000-0000-7000-8000-000000000002","runId":"00000000-0000-7000-8000-000000000003","data":{"alertId":"00000000-0000-7000-8000-000000000001","playbook":"scam-verdict","joined":false}}
--   {"n":1,"type":"case.created","caseId":"00000000-0000-7000-8000-000000000002","runId":"00000000-0000-7000-8000-000000000003","data":{"playbook":"scam-verdict","lane":"live"}}
--   {"n":2,"type":"run.created","caseId":"00000000-0000-7000-8000-000000000002","runId":"00000000-0000-7000-8000-000000000003","data":{"alertId":"00000000-0000-7000-8000-000000000001","lane":"live","playbook":"scam-verdict","playbookVersion":"1","strategy":"heuristic","provider":"none","model":"none"}}
with
  case_rows (id, playbook, fingerprint, lane, dataset, started_at, covered_at, peak, joined_by, is_new, alerts, text, run_id, resolved, flaps, status) as (
    select * from json_to_recordset($1::json) as r ("id" uuid, "playbook" text, "fingerprint" text, "lane" text, "dataset" text, "startedAt" timestamptz, "coveredAt" timestamptz, "peak" json, "joinedBy" text, "isNew" boolean, "alerts" int, "text" text, "runId" uuid, "resolved" boolean, "flaps" int, "status" text)),
  made as (
    insert into cases (id, playbook, fingerprint, alert_count, text, leading_run_id, newest_run_id, lane, dataset, started_at,
      covered_at, peak, joined_by, resolved_at, status)
    select id, playbook, fingerprint, alerts, text, run_id, run_id, lane, dataset, started_at, covered_at, peak, joined_by,
      case when resolved then now() end, coalesce(status, 'open') from case_rows where is_new),
  joined as (
    update cases c
    set alert_count = c.alert_count + k.alerts, text = coalesce(k.text, c.text), updated_at = now(),
      status = coalesce(k.status, case when k.run_id is null then c.status else 'open' end),
      started_at = coalesce(k.started_at, c.started_at), covered_at = coalesce(k.covered_at, c.covered_at),
      resolved_at = case when k.resolved then now() when not k.resolved then null else c.resolved_at end,
      flaps = coalesce(k.flaps, c.flaps), flapped_at = case when k.flaps > c.flaps then now() else c.flapped_at end,
      peak = coalesce(k.peak, c.peak), leading_run_id = coalesce(k.run_id, c.leading_run_id),
      newest_run_id = coalesce(k.run_id, c.newest_run_id),
      lane = case when k.run_id is null then c.lane else k.lane end,
      disposition = case when k.run_id is null then c.disposition end,
      action = case when k.run_id is null then c.action end
    from case_rows k where c.id = k.id and not k.is_new),
  alert_rows (id, case_id, playbook, text, image_type, image, rest, received_at) as (
    select * from json_to_recordset($2::json) as r ("id" uuid, "caseId" uuid, "playbook" text, "text" text, "imageType" text, "image" text, "rest" json, "receivedAt" text)),
  alert as (
    insert into alerts (id, case_id, playbook, text, image_type, image, rest, received_at)
    select id, case_id, playbook, text, image_type, image, rest, received_at from alert_rows),
  run_rows (case_id, alert_id, lane, settings, trace, run_id, first_stage, claim_for_ms, hold_ms) as (
    select * from json_to_recordset($3::json) as r ("caseId" uuid, "alertId" uuid, "lane" text, "settings" json, "trace" text, "runId" uuid, "firstStage" text, "claimForMs" float8, "holdMs" float8)),
  run as (
    insert into runs (id, case_id, alert_id, lane, settings, trace)
    select run_id, case_id, alert_id, lane, settings, trace from run_rows),
  unit as (
    insert into units (run_id, unit, case_id, lane, stage, status, epoch, lease_until, held, resume_at)
    select run_id, '', case_id, lane, first_stage, case when claim_for_ms is null then 'due' else 'running' end,
      (claim_for_ms is not null)::int, now() + claim_for_ms * interval '1 ms', hold_ms is not null,
      now() + coalesce(claim_for_ms, hold_ms, 10000) * interval '1 ms' from run_rows),
  key_rows (key, body_digest, alert_id, case_id, run_id, joined, ignored) as (
    select * from json_to_recordset($4::json) as r ("key" text, "bodyDigest" text, "alertId" uuid, "caseId" uuid, "runId" uuid, "joined" boolean, "ignored" text)),
  key as (
    insert into idempotency_keys (key, body_digest, alert_id, case_id, run_id, joined, ignored)
    select key, body_digest, alert_id, case_id, run_id, joined, ignored from key_rows),
  event_rows (n, type, case_id, run_id, data) as (
    select * from json_to_recordset($5::json) as r ("n" int, "type" text, "caseId" uuid, "runId" uuid, "data" json))
  insert into events (type, case_id, run_id, data)
    select type, case_id, run_id, data
  from event_rows order by n;

commit;
