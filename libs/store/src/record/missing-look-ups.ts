/**
 * Part of a statement that adds the look-ups without an answer of the runs that a `page` of events reports as
 * decided: failed calls, tools that could not be used, and tools that a model asked for and that do not exist.
 */
export const ADD_MISSING = `
    insert into missing_look_ups (run_id, case_id, playbook, tool, reason, decided_at)
    select distinct r.id, r.case_id, c.playbook, left(m.tool, 100), left(m.reason, 100), r.decided_at
    from runs r join cases c on c.id = r.case_id, lateral (
      select t.tool, coalesce(t.reason_code, 'no_answer') as reason
      from tool_calls t where t.run_id = r.id and t.state <> 'succeeded'
      union all
      select o ->> 'name', 'not_available' from artifacts e, json_array_elements(
        case json_typeof(e.body -> 'toolsOut') when 'array' then e.body -> 'toolsOut' end) o
      where e.run_id = r.id and e.artifact = 'evidence'
      union all
      select x ->> 'tool', 'unknown_tool' from artifacts d,
        json_array_elements(case json_typeof(d.body #> '{answer,trace}') when 'array' then d.body #> '{answer,trace}' end) s,
        json_array_elements(case json_typeof(s -> 'actions') when 'array' then s -> 'actions' end) x
      where d.run_id = r.id and d.artifact = 'draft' and x ->> 'reasonCode' = 'unknown_tool') m
    where r.id in (select run_id from page where type = 'verdict.decided')
      and r.lane not in ('replay', 'shadow') and r.decided_at is not null and c.dataset is null and m.tool is not null
    on conflict do nothing`;

/** Counts cases per kind and tool, and per reason. */
export const MISSING = `
  with chosen as materialized (
    select playbook, tool, reason, case_id from missing_look_ups
    where decided_at >= $1::timestamptz and decided_at < $2::timestamptz and ($3::text is null or playbook = $3)),
  by_reason as (select playbook, tool, reason, count(distinct case_id)::int as cases from chosen group by 1, 2, 3),
  by_tool as (select playbook, tool, count(distinct case_id)::int as cases from chosen group by 1, 2)
  select t.playbook, t.tool, t.cases, (
    select json_agg(json_build_object('reason', r.reason, 'cases', r.cases) order by r.cases desc, r.reason)
    from by_reason r where r.playbook = t.playbook and r.tool = t.tool) as reasons
  from by_tool t order by t.cases desc, t.playbook, t.tool limit $4::int`;
