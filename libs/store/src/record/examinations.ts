/**
 * Part of a statement that adds the cross-examinations of the runs that a `page` of events reports as decided, with the
 * model of the last answered call. Only the last round of a unit has a result, because earlier drafts are not judged.
 */
export const ADD_EXAMINATIONS = `
    insert into examinations (run_id, unit, round, case_id, playbook, provider, model, planted, supported, supports_all,
      decided_at)
    select r.id, v.unit, v.round, r.case_id, c.playbook, m.provider, m.model, p.planted, p.supported,
      case when v.round = v.last_round and v.examination ->> 'failed' is null then p.supports_all end, r.decided_at
    from runs r join cases c on c.id = r.case_id, lateral (
      select a.unit, a.round, a.body -> 'crossExamination' as examination,
        max(a.round) over (partition by a.unit) as last_round
      from artifacts a where a.run_id = r.id and a.artifact = 'review') v, lateral (
      select l.provider, l.model from llm_interactions l
      where l.run_id = r.id and l.unit = v.unit and l.stage = 'critique' and l.round = v.round
        and l.prompt_id = v.examination ->> 'promptId' and l.state = 'completed' and l.error_code is null
      order by l.step desc, l.attempt desc limit 1) m, lateral (
      select
        (select count(*) from json_array_elements(v.examination -> 'planted') e where e ->> 'answer' is not null)::int
          as planted,
        (select count(*) from json_array_elements(v.examination -> 'planted') e where e ->> 'answer' = 'supports')::int
          as supported,
        (select bool_and(e ->> 'answer' = 'supports') from json_array_elements(v.examination -> 'claims') e)
          as supports_all) p
    where r.id in (select run_id from page where type = 'verdict.decided') and v.examination is not null
      and r.lane not in ('replay', 'shadow') and r.decided_at is not null and c.dataset is null
    on conflict do nothing`;

/** Counts examinations per model, and labels that agree with them. The newest label of a run counts. */
export const EXAMINERS = `
  with chosen as materialized (
    select * from examinations where decided_at >= $1::timestamptz and decided_at < $2::timestamptz
      and ($3::text is null or playbook = $3)),
  labels as (
    select distinct on (f.run_id) f.run_id, f.agrees from feedback f
    where f.run_id in (select run_id from chosen) order by f.run_id, f.at desc, f.id desc),
  results as (
    select run_id, provider, model, bool_and(supports_all) as supports_all from chosen
    where supports_all is not null group by 1, 2, 3),
  agreed as (
    select r.provider, r.model, count(*)::int as labelled,
      (count(*) filter (where r.supports_all = l.agrees))::int as agreed
    from results r join labels l on l.run_id = r.run_id group by 1, 2)
  select c.provider, c.model, count(*)::int as examinations, sum(c.planted)::int as planted,
    sum(c.supported)::int as supported, coalesce(max(a.labelled), 0) as labelled, coalesce(max(a.agreed), 0) as agreed
  from chosen c left join agreed a on a.provider = c.provider and a.model = c.model
  group by 1, 2 order by 3 desc, 1, 2`;
