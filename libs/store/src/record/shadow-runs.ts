import { storableJson, type EventOrder, type ShadowProgress, type ShadowRuns } from '@casefile/contracts';
import type { Database } from '../database.js';

/** Age from which an unfinished run counts as late. A late run no longer delays the start of others. */
export const LATE = "interval '1 hour'";

/** SQL condition: the shadow run is unfinished and not late, so the driver waits for it. */
const isOpen = `r.status = 'due' and r.created_at > now() - ${LATE}`;

const PROGRESS = `
  select e.budget_usd as "budgetUsd", e.cursor as place,
    count(r.id) filter (where ${isOpen})::int as open,
    count(r.id) filter (where not (${isOpen}))::int as ended,
    coalesce(bool_or(r.status = 'parked' and r.reason_code = 'batch_budget'), false) as "isBudgetUsedUp",
    coalesce(sum((select sum(x.cost_usd) from llm_interactions x where x.run_id = r.id and x.read_from is null)), 0)::float8
      as "costUsd"
  from experiments e left join runs r on r.settings -> 'experiment' ->> 'id' = $1::text and r.lane = 'shadow'
  where e.id = $1::uuid and e.mode = 'shadow' and e.state = 'running' group by e.id`;

/** Reading stops at the oldest open transaction, which may still write events that precede existing ones. */
const SETTLED = `xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

const DECIDED = `
  with page as materialized (
    select xid, id, type, run_id from events
    where ${SETTLED} and (xid, id) > ($2::bigint, $3::bigint) order by events.xid, events.id limit $4),
  decided as (
    select distinct on (r.case_id) r.case_id, p.run_id, p.xid, p.id
    from page p join runs r on r.id = p.run_id join cases c on c.id = r.case_id join experiments e on e.id = $1::uuid
      join artifacts v on v.run_id = r.id and v.artifact = 'verdict'
    where p.type = 'verdict.decided' and r.lane = 'live' and c.playbook = e.playbook and c.dataset is null
      and v.body ->> 'method' <> 'demonstration' and v.body -> 'outcome' -> 'reused' is null
    order by r.case_id, p.xid, p.id)
  select
    (select json_build_object('xid', xid::text, 'id', id::text) from page order by xid desc, id desc limit 1) as place,
    (select coalesce(json_agg(json_build_object('caseId', case_id, 'runId', run_id) order by xid, id), '[]')
      from decided) as runs`;

const KEEP = `update experiments set cursor = $2::json where id = $1 and state = 'running'`;

const MISSED = `
  insert into events (type, case_id, run_id, data)
  select 'experiment.case_missed', $2::uuid, $3::uuid, $4::json
  where not exists (select from events where run_id = $3::uuid and type = 'experiment.case_missed'
    and data ->> 'experiment' = $1)`;

/** Progress of shadow runs, in Postgres. */
export function postgresShadowRuns(database: Database): ShadowRuns {
  return {
    progress: async (id) => (await database.rows<ShadowProgress>(PROGRESS, [id]))[0] ?? null,
    decidedRuns: async (id, { xid, id: event }, limit) => {
      const [row] = await database.rows<{
        place: EventOrder | null;
        runs: { caseId: string; runId: string }[];
      }>(DECIDED, [id, xid, event, limit]);
      return row?.place == null ? null : { place: row.place, runs: row.runs };
    },
    keepPlace: async (id, place) => void (await database.rows(KEEP, [id, storableJson(place)])),
    noteMissed: async (id, { caseId, runId, reasonCode, message }) => {
      const data = storableJson({ experiment: id, reasonCode, message });
      await database.rows(MISSED, [id, caseId, runId, data]);
    },
  };
}
