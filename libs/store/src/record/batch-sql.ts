import { ENDED_STATUSES } from '@casefile/contracts';
import { isAnsweredRun } from '../answered-sql.js';
import { tableColumns, copyColumns, insertInto } from '../columns.js';
import { rowSet } from '../row-set.js';

// Statements for batches. A member's run gets its id before it is opened.

/**
 * Selects the data that a rerun needs. $1: the case; $2: the run, or null for the one that the case shows.
 */
export const RUN_BASE = `
  select r.id as run_id, r.case_id, c.playbook, r.status, r.settings, row_to_json(a) as alert,
    (select max(e.at) from case_erasures e where e.case_id = c.id and e.at >= r.created_at) as erased_at
  from cases c join runs r on r.id = coalesce($2::uuid, c.leading_run_id) and r.case_id = c.id
    join alerts a on a.id = r.alert_id
  where c.id = $1`;

/**
 * Selects cases whose shown run has ended. $1: ids or null; $2: labelled set or null; $3: degraded since, or
 * null; then the conditions of the filter.
 */
export const PICK = `
  select c.id as "caseId", c.leading_run_id as "baseRunId"
  from cases c join runs r on r.id = c.leading_run_id
  where r.status in (${ENDED_STATUSES.map((status) => `'${status}'`).join(', ')})
    and ($1::uuid[] is null or c.id = any($1::uuid[]))
    and (case when $2::text is not null then c.dataset = $2 else c.dataset is null or $1::uuid[] is not null end)
    and ($3::timestamptz is null
      or (r.degraded and r.decided_at >= $3::timestamptz and not ${isAnsweredRun('c.id', 'r.id')}))
    and ($4::text is null or c.playbook = $4)
    and ($5::text is null or r.disposition = $5)
    and ($6::text is null or r.action = $6)
    and ($7::text is null or c.method = $7)
    and ($8::boolean is null or coalesce(r.degraded, false) = $8)
    and ($9::timestamptz is null or c.created_at >= $9::timestamptz)
    and ($10::timestamptz is null or c.created_at <= $10::timestamptz)
  order by c.created_at, c.id limit $11`;

/** Estimates the cost of repeating the runs $1, from the newest runs of each playbook that called a model. */
export const ESTIMATE = `
  with wanted as (
    select c.playbook, count(*) as n from runs r join cases c on c.id = r.case_id
    where r.id = any($1::uuid[]) group by 1)
  select coalesce(sum(w.n * m.mean), 0)::float8 as usd from wanted w cross join lateral (
    select avg(cost) as mean from (
      select sum(x.cost_usd) as cost from (
        select r.id from cases c join runs r on r.id = c.newest_run_id
        where c.playbook = w.playbook order by c.created_at desc limit 500) n
      join llm_interactions x on x.run_id = n.id and x.read_from is null
      group by n.id having sum(x.cost_usd) is not null limit 200) costs) m`;

/** The members of a batch. */
export const NEW_MEMBERS = rowSet('member_rows', {
  ...tableColumns('batch_members', 'position', 'case_id', 'base_run_id', 'run_id', 'twin_run_id'),
});
/** $1 to $6: the batch. */
export const OPEN_BATCH = `batch as (
    ${insertInto('batches', {
      id: '$1::uuid',
      ask: '$2::json',
      rate_per_second: '$3::float8',
      budget_usd: '$4::float8',
      estimate_usd: '$5::float8',
      total: '$6::int',
    })} on conflict (id) do nothing returning id),
  reported as (
    insert into events (type, data) select 'batch.created', json_build_object('batchId', id, 'total', $6::int) from batch)`;
export const ADD_MEMBERS = `
  ${insertInto('batch_members', {
    batch_id: 'b.id',
    ...copyColumns('m', 'position', 'case_id', 'base_run_id', 'run_id', 'twin_run_id'),
  })} from batch b cross join member_rows m`;

/** Locks batches until the transaction ends, so that the count of open batches is exact. */
export const LOCK_BATCHES = "select pg_advisory_xact_lock(hashtextextended('batches', 7))";
/** The number of open batches other than $1. */
export const OPEN_BATCHES = `
  select count(*)::int as n from batches where state in ('running', 'paused', 'applying') and id <> $1`;

/** Members of the batch b whose runs wait for its budget. */
const HELD = `batch_members h join runs r on r.id in (h.run_id, h.twin_run_id)
  where h.batch_id = b.id and h.state = 'opened' and r.status = 'parked' and r.reason_code = 'batch_budget'`;

/** Selects the runs that wait for the budget of the batch $1. */
export const HELD_RUNS = `select r.id from batches b cross join lateral (select r.id from ${HELD}) r where b.id = $1`;

/**
 * Window in seconds for estimating the remaining time. Time before a start or during a pause does not count.
 */
const RECENT_S = 60;

/** Selects batches with their totals. `where` is the condition. */
export const batchesWhere = (where: string): string => `
  select b.*, m.*, extract(epoch from coalesce(b.done_at, b.paused_at, now()) - b.created_at) * 1000 - b.paused_ms as worked_ms
  from batches b cross join lateral (
    select count(*) filter (where state not in ('waiting', 'opened'))::int as done,
      count(*) filter (where state = 'opened')::int as open,
      count(*) filter (where state = 'waiting')::int as waiting,
      (select count(*)::int from ${HELD}) as held,
      count(*) filter (where flipped)::int as flipped,
      count(unsteady)::int as twice,
      count(*) filter (where unsteady)::int as unsteady,
      count(*) filter (where same_requests and answers_asked = 0)::int as identical,
      count(right_now)::int as labelled,
      count(*) filter (where right_now is not null and right_before)::int as right_before,
      count(*) filter (where right_now)::int as right_now,
      count(*) filter (where state = 'failed')::int as failed,
      count(*) filter (where state = 'applied')::int as applied,
      count(*) filter (where sent)::int as sent,
      (count(*) filter (where state = 'by_person') + (
        select count(*) from batch_members p where p.batch_id = b.id and p.state = 'decided'
          and b.state in ('done', 'applying') and ${isAnsweredRun('p.case_id', 'p.base_run_id')}))::int as decided_by_person,
      count(*) filter (where state = 'unchanged')::int as unchanged,
      count(*) filter (where state = 'overtaken')::int as overtaken,
      count(*) filter (where state = 'left_out')::int as left_out,
      coalesce(sum(cost_usd), 0)::float8 as cost_usd,
      count(*) filter (where settled_at > now() - interval '${RECENT_S} s')::int as recent,
      extract(epoch from now() - greatest(min(settled_at), now() - interval '${RECENT_S} s'))::float8 as recent_s
    from batch_members where batch_id = b.id) m
  where ${where}`;

const OF_RUN = (run: string) => `json_build_object('disposition', ${run}.disposition, 'action', ${run}.action,
  'confidence', ${run}.confidence)`;

/**
 * Selects members of the batch $1: flipped ones first, then those without a verdict. $2: limit; $3: offset.
 */
export const MEMBERS = `
  select m.case_id as "caseId", m.base_run_id as "baseRunId", m.run_id as "runId", m.state, m.flipped, m.change, m.message,
    m.twin_run_id as "twinRunId", m.unsteady, m.same_requests as "sameRequests", m.answers_asked as "answersAsked",
    m.right_before as "rightBefore", m.right_now as "rightNow",
    m.state = 'by_person' or (m.state in ('waiting', 'opened', 'decided')
      and ${isAnsweredRun('m.case_id', 'm.base_run_id')}) as "decidedByPerson",
    c.playbook, c.text, ${OF_RUN('b')} as was, ${OF_RUN('r')} as now
  from batch_members m join cases c on c.id = m.case_id join runs b on b.id = m.base_run_id
    left join runs r on r.id = m.run_id
  where m.batch_id = $1
  order by (m.flipped is true) desc, (m.state = 'failed') desc, (m.unsteady is true) desc, m.position limit $2 offset $3`;

export const OWN = 'select total, budget_usd from batches where id = $1';
/** Shadow experiments and evolutions pay their runs like a batch. */
export const BUDGET = `select budget_usd from batches where id = $1 union all select budget_usd from experiments where id = $1
  union all select budget_usd from evolutions where id = $1`;

/** SQL condition: the run has ended. A run that waits for its batch's budget has not. */
const isOver = (run: string) =>
  `(${run}.status <> 'due' and not (${run}.status = 'parked' and ${run}.reason_code = 'batch_budget'))`;
const differ = (a: string, b: string) => `case when ${a}.status = 'decided' and ${b}.status = 'decided'
      then (${a}.disposition, ${a}.action) is distinct from (${b}.disposition, ${b}.action) end`;
/** SQL for the requests of a run to models, regardless of which model answered. */
const runRequests = (run: string) => `array(
      select distinct concat_ws(' ', x.unit, x.stage, x.round, x.step, x.request_hash) from llm_interactions x
      where x.run_id = ${run}.id and x.tool_call_id is null order by 1)`;
/**
 * SQL condition: the verdict agrees with most people's newest labels. null: there is no label or no verdict.
 */
export const isRight = (run: string) => `(
      select (v.body -> 'outcome')::jsonb @> f.outcome from artifacts v where v.run_id = ${run}.id and v.artifact = 'verdict')`;

/** SQL for the outcome that most people's newest labels of a case name. */
export const newestLabels = (caseId: string) => `
        select n.outcome from (
          select distinct on ("by") outcome::jsonb as outcome, at, id from feedback
          where case_id = ${caseId} and outcome::text <> '{}' order by "by", at desc, id desc) n
        group by n.outcome order by count(*) desc, max(n.at) desc limit 1`;

/** Finds whether any batch can need work, because the statements below count its members. */
export const ANY_OPEN = `select 1 from batches where state in ('running', 'paused', 'applying') limit 1`;

/** Records the results of ended runs, for batches that are running or paused. */
export const SETTLE = `
  with ended as (
    select m.batch_id, m.position, r.id, w.id as twin, r.status, r.message, r.reason_code,
      case when r.status = 'decided' then (r.disposition, r.action) is distinct from (b.disposition, b.action) end as flipped,
      ${differ('r', 'w')} as unsteady, ${runRequests('r')} = ${runRequests('b')} as same_requests,
      ${isRight('b')} as right_before, ${isRight('r')} as right_now,
      (select count(*)::int from llm_interactions x where x.run_id = r.id and x.read_from is null) as answers_asked
    from batch_members m join batches t on t.id = m.batch_id and t.state in ('running', 'paused')
      join runs r on r.id = m.run_id join runs b on b.id = m.base_run_id left join runs w on w.id = m.twin_run_id
      left join lateral (${newestLabels('m.case_id')}) f on true
    where m.state = 'opened' and ${isOver('r')} and (m.twin_run_id is null or ${isOver('w')})
    order by m.batch_id, m.position for update of m)
  update batch_members m set state = case when e.status = 'decided' then 'decided' else 'failed' end, settled_at = now(),
    flipped = e.flipped, unsteady = e.unsteady, same_requests = e.same_requests, answers_asked = e.answers_asked,
    right_before = e.right_before, right_now = e.right_now, message = case when e.status = 'decided' then null else coalesce(e.message, e.reason_code, e.status) end,
    cost_usd = (select coalesce(sum(x.cost_usd), 0) from llm_interactions x
      where x.run_id in (e.id, e.twin) and x.read_from is null)
  from ended e where m.batch_id = e.batch_id and m.position = e.position`;

/** Marks running batches as done if every case has ended and every new verdict is compared. */
export const FINISH = `
  with done as (
    update batches b set state = 'done', done_at = now()
    where b.state = 'running'
      and not exists (select from batch_members m
        where m.batch_id = b.id and (m.state in ('waiting', 'opened') or (m.state = 'decided' and m.change is null)))
    returning b.id, b.total)
  insert into events (type, data) select 'batch.done', json_build_object('batchId', id, 'total', total) from done`;

export const WAITING = `
  select position, case_id as "caseId", base_run_id as "baseRunId", run_id as "runId", twin_run_id as "twinRunId"
  from batch_members
  where batch_id = $1 and state = 'waiting' order by position limit $2`;

/** Marks members of the batch $1. $2: opened positions; $3: positions that could not be opened, as JSON. */
export const MARK = `
  update batch_members m set state = case when f.position is null then 'opened' else 'failed' end, message = f.message,
    settled_at = case when f.position is null then m.settled_at else now() end
  from (select unnest($2::int[]) as position) o
    full join json_to_recordset($3::json) as f(position int, message text) on f.position = o.position
  where m.batch_id = $1 and m.position = coalesce(o.position, f.position) and m.state = 'waiting'`;

/**
 * Moves the batch $1 to another state. $2: new state; $3: permitted old states; $4: a reason or null; $5: a
 * new budget or null.
 */
export const MOVE = `
  with moved as (
    update batches b set state = $2, reason = $4, budget_usd = coalesce($5::float8, b.budget_usd),
      paused_at = case when $2 = 'paused' then now() end,
      paused_ms = b.paused_ms + coalesce(extract(epoch from now() - b.paused_at) * 1000, 0),
      ended_at = case when $2 in ('discarded', 'applied') then now() end
    where b.id = $1 and b.state = any($3::text[]) and ($6::float8 is null or b.budget_usd = $6) returning b.id)
  insert into events (type, data)
  select 'batch.' || $2, json_build_object('batchId', id, 'reason', $4::text) from moved returning 1 as moved`;

export const DEGRADED_SINCE = `
  select count(*)::int as n from runs r join cases c on c.leading_run_id = r.id
  where r.degraded and r.decided_at >= $1 and c.dataset is null and not ${isAnsweredRun('c.id', 'r.id')}`;
