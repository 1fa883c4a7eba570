import type { ComparedRun, ExperimentRun, ExperimentRuns, Experiments } from '@casefile/contracts';
import type { Database } from '../database.js';
import { isUuid } from '../row-set.js';
import { iso, isoOrNull } from '../rows.js';
import { LATE } from './shadow-runs.js';
import { isRight, newestLabels } from './batch-sql.js';

/** Most runs that a comparison reads. */
const MOST_RUNS = 50_000;

// Runs of an experiment: live runs of an A/B experiment, or shadow runs. A replay of such a run does not
// count.
const OWN = `
  own as (
    select r.id, r.settings -> 'experiment' ->> 'arm' as arm, (r.settings -> 'recorded' ->> 'run')::uuid as base,
      r.created_at
    from runs r join experiments e on e.id = $1
    where r.settings -> 'experiment' ->> 'id' = $1::text
      and r.lane = case e.mode when 'shadow' then 'shadow' else 'live' end
    order by r.created_at, r.id limit ${MOST_RUNS})`;

// Reads the last draft of each unit. For an answer that lists refuted quotes, its kind has verified the
// citations. Any other draft cites ids of evidence and of look-ups.
const DRAFTS = `
  select distinct on (a.unit) a.body -> 'evidenceUsed' as used, a.body -> 'answer' as answer, a.body -> 'read' as read,
    a.body ->> 'fallbackReason' as fallback, a.unit
  from artifacts a where a.run_id = r.id and a.artifact = 'draft' order by a.unit, a.round desc`;
const KNOWN_IDS = `
  select i ->> 'id' from artifacts v, json_array_elements(v.body -> 'items') i where v.run_id = r.id and v.artifact = 'evidence'
  union all select i ->> 'id' from json_array_elements(coalesce(d.read, '[]')) i`;
const isVerified = `json_typeof(d.answer -> 'refuted') = 'array' and json_typeof(d.answer -> 'citations') = 'array'`;
/** SQL for the citations and the fallback of the last drafts of the run `r`. */
export const CITED = `
  select min(d.fallback) as fallback,
    coalesce(sum(case when ${isVerified} then json_array_length(d.answer -> 'citations') + json_array_length(d.answer -> 'refuted')
      else json_array_length(d.used) end), 0)::int as cited,
    coalesce(sum(case when ${isVerified} then json_array_length(d.answer -> 'citations')
      else (select count(*) from json_array_elements_text(d.used) e where e in (${KNOWN_IDS})) end), 0)::int as supported
  from (${DRAFTS}) d`;

// An answer that was read from the record counts as the original call.
const CALLS = `
  select coalesce(sum(x.input_tokens + x.output_tokens), 0)::int as tokens,
    case when count(*) filter (where x.state = 'completed' and coalesce(o.cost_usd, x.cost_usd) is null) = 0
      then coalesce(sum(coalesce(o.cost_usd, x.cost_usd)), 0)::float8 end as "costUsd",
    coalesce(sum(coalesce(o.latency_ms, x.latency_ms)), 0)::float8 as "latencyMs",
    coalesce(sum(x.cost_usd) filter (where x.read_from is null), 0)::float8 as spent
  from llm_interactions x left join llm_interactions o on o.id = x.read_from
  where x.run_id = r.id`;

const RUNS = `
  with ${OWN},
  facts as (
    select r.id as "runId", r.case_id as "caseId",
      case when r.lane = 'shadow' and r.status = 'due' and r.created_at < now() - ${LATE} then 'stopped' else r.status end as status,
      coalesce(r.reason_code, case when r.status = 'due' and r.created_at < now() - ${LATE} then 'timeout' end) as "reasonCode", r.disposition, r.action,
      r.confidence, m.fallback, m.cited, m.supported, c.tokens, c."costUsd", c."latencyMs", c.spent,
      coalesce((select body ->> 'degradedBy' like '%"other_model"%' from artifacts v
        where v.run_id = r.id and v.artifact = 'verdict'), false) as "isOtherModel",
      coalesce((select max(a.round) from artifacts a where a.run_id = r.id and a.artifact = 'draft'), 0)::int as rounds,
      ${isRight('r')} as right
    from runs r cross join lateral (${CITED}) m cross join lateral (${CALLS}) c
      left join lateral (${newestLabels('r.case_id')}) f on true
    where r.id in (select id from own union select base from own where base is not null))
  select o.arm, o.created_at, to_jsonb(f) as run, to_jsonb(b) as base
  from own o join facts f on f."runId" = o.id left join facts b on b."runId" = o.base
  order by o.created_at, o.id`;

const UNOPENED = `
  select data ->> 'reasonCode' as reason, count(*)::int as cases from events
  where type = 'experiment.case_missed' and at >= $2 and data ->> 'experiment' = $1 group by 1 order by 2 desc, 1`;

const SINCE = `
  select e.started_at, greatest(e.started_at, (select max(a.at) from acts a
    where a.subject = 'experiment ' || e.id and a.type = 'experiment.share_changed')) as since
  from experiments e where e.id = $1`;

interface RunRow {
  arm: string;
  created_at: Date;
  run: ComparedRun & { spent: number };
  base: (ComparedRun & { spent: number }) | null;
}

/** Reads the runs of experiments in Postgres. */
export function experimentRuns(database: Database): Pick<Experiments, 'runs'> {
  return {
    runs: async (id): Promise<ExperimentRuns> => {
      const none = { runs: [], costUsd: 0, unopened: [], sameShareSince: null };
      if (!isUuid(id)) return none;
      const [times] = await database.rows<{ started_at: Date | null; since: Date | null }>(SINCE, [id]);
      if (times?.started_at == null) return none;
      const rows = await database.rows<RunRow>(RUNS, [id]);
      const unopened = await database.rows<ExperimentRuns['unopened'][number]>(UNOPENED, [
        id,
        times.started_at,
      ]);
      const costUsd = rows.reduce((sum, { run }) => sum + run.spent, 0);
      return { runs: rows.map(toExperimentRun), costUsd, unopened, sameShareSince: isoOrNull(times.since) };
    },
  };
}

const toComparedRun = ({ spent: _spent, ...run }: RunRow['run']): ComparedRun => run;

const toExperimentRun = ({ arm, created_at: at, run, base }: RunRow): ExperimentRun => ({
  ...toComparedRun(run),
  arm,
  createdAt: iso(at),
  base: base === null ? null : toComparedRun(base),
});
