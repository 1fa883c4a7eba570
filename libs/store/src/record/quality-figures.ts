import type {
  ExaminerCounts,
  ForecastCount,
  MissingLookUp,
  PeriodLabels,
  QualityGrouping,
  QualityQuery,
  VerdictCounts,
  QualityFigures,
  VerdictPeriod,
} from '@casefile/contracts';
import type { Database, Queryable } from '../database.js';
import { iso } from '../rows.js';
import { ADD_EXAMINATIONS, EXAMINERS } from './examinations.js';
import { postgresLabels } from './label-facts.js';

/**
 * Part of a statement that adds the look-ups without an answer of the runs that a `page` of events reports as
 * decided: failed calls, tools that could not be used, and tools that a model asked for and that do not exist.
 */
const ADD_MISSING = `
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
const MISSING = `
  with chosen as materialized (
    select playbook, tool, reason, case_id from missing_look_ups
    where decided_at >= $1::timestamptz and decided_at < $2::timestamptz and ($3::text is null or playbook = $3)),
  by_reason as (select playbook, tool, reason, count(distinct case_id)::int as cases from chosen group by 1, 2, 3),
  by_tool as (select playbook, tool, count(distinct case_id)::int as cases from chosen group by 1, 2)
  select t.playbook, t.tool, t.cases, (
    select json_agg(json_build_object('reason', r.reason, 'cases', r.cases) order by r.cases desc, r.reason)
    from by_reason r where r.playbook = t.playbook and r.tool = t.tool) as reasons
  from by_tool t order by t.cases desc, t.playbook, t.tool limit $4::int`;

const READER = 'verdict_figures';

const BEGIN = `insert into event_readers (name, xid, event_id) values ('${READER}', 0, 0) on conflict do nothing`;

/** Number from 0 to 1 derived from the run's id alone, so that the same verdicts are drawn when repeated. */
const BUCKET = `('x' || left(md5('sample ' || run_id), 8))::bit(32)::bigint / 4294967296.0`;

/**
 * Adds a row to `verdict_figures` for each run that was decided since the last call, and rows for its look-ups
 * without an answer and for its cross-examinations. Runs in the lanes
 * `replay` and `shadow` and runs of labelled sets are left out. A transaction that is still open may commit
 * events that sort before events already read. The page therefore ends below the oldest open transaction, so
 * that no event is skipped. Returns the number of events read; null: the place of the reader has no row yet.
 */
const ADD_DECIDED_RUNS = `
  with place as materialized (select xid, event_id from event_readers where name = '${READER}' for update),
  page as materialized (
    select xid, id, type, run_id from events
    where (xid, id) > ((select xid from place), (select event_id from place))
      and xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
    order by xid, id limit $1),
  missed as (${ADD_MISSING}),
  examined as (${ADD_EXAMINATIONS}),
  noted as (
    insert into verdict_figures (run_id, case_id, playbook, lane, strategy, provider, model, prompts, method, confidence,
      confidence_source, disposition, degraded, cited, verified, calls, unpriced, tokens, cost_usd, latency_ms, decided_at,
      language, stated_confidence, stated_source, recalibration)
    select r.id, r.case_id, c.playbook, r.lane, coalesce(r.settings ->> 'strategy', ''), r.settings ->> 'provider',
      r.settings ->> 'model',
      coalesce((select string_agg(p.id, ',' order by p.id) from json_array_elements_text(v.body -> 'promptIds') p (id)), ''),
      v.body ->> 'method', (v.body ->> 'confidence')::float8, v.body ->> 'confidenceSource', v.body ->> 'disposition',
      (v.body ->> 'degraded')::boolean, d.cited, d.verified, i.calls, i.unpriced, i.tokens, i.cost,
      greatest(0, extract(epoch from r.decided_at - r.created_at) * 1000), r.decided_at,
      (select b.body -> 'language' ->> 'code' from artifacts b where b.run_id = r.id and b.artifact = 'brief'
        order by b.round desc limit 1),
      (v.body -> 'statedConfidence' ->> 'confidence')::float8, v.body -> 'statedConfidence' ->> 'source',
      (v.body -> 'statedConfidence' ->> 'recalibration')::int
    from runs r join cases c on c.id = r.case_id
      join artifacts v on v.run_id = r.id and v.artifact = 'verdict',
      lateral (
        select count(distinct e.id)::int as cited, (count(distinct e.id) filter (
          where e.id in (select json_array_elements_text(v.body -> 'citations'))))::int as verified
        from (
          select distinct on (a.unit) a.body from artifacts a where a.run_id = r.id and a.artifact = 'draft'
          order by a.unit, a.round desc) draft,
          json_array_elements_text(draft.body -> 'evidenceUsed') e (id)) d,
      lateral (
        select count(*)::int as calls, (count(*) filter (where l.cost_usd is null))::int as unpriced,
          coalesce(sum(l.input_tokens + l.output_tokens), 0)::int as tokens, coalesce(sum(l.cost_usd), 0) as cost
        from llm_interactions l where l.run_id = r.id and l.read_from is null) i
    where r.id in (select run_id from page where type = 'verdict.decided')
      and r.lane not in ('replay', 'shadow') and r.decided_at is not null and c.dataset is null
    on conflict do nothing returning run_id, case_id, lane, disposition, decided_at),
  sampled as (
    insert into review_samples (run_id, case_id, probability, decided_at)
    select run_id, case_id, $2::float8, decided_at from noted
    where lane = 'live' and disposition <> 'review' and ${BUCKET} < $2::float8
    on conflict do nothing),
  moved as (
    update event_readers set xid = l.xid, event_id = l.id
    from (select xid, id from page order by xid desc, id desc limit 1) l where name = '${READER}')
  select case when exists (select from place) then (select count(*)::int from page) end as n`;

const LABELS = `
  labels as (
    select distinct on (f.run_id) f.run_id, f.agrees, f."by", f.outcome, f.at from feedback f
    where f.run_id in (select run_id from chosen) order by f.run_id, f.at desc, f.id desc)`;

const CHOSEN = `
  chosen as materialized (
    select * from verdict_figures where decided_at >= $1::timestamptz and decided_at < $2::timestamptz
      and ($3::text is null or playbook = $3)),
  ${LABELS}`;

const FIGURES = `
    count(*)::int as verdicts, count(l.run_id)::int as labelled, (count(*) filter (where l.agrees))::int as "right",
    (count(*) filter (where disposition = 'act'))::int as acts,
    (count(l.run_id) filter (where disposition = 'act'))::int as "actsLabelled",
    (count(*) filter (where disposition = 'act' and l.agrees))::int as "actsRight",
    (count(*) filter (where disposition = 'review'))::int as reviews,
    (count(l.run_id) filter (where disposition = 'review'))::int as "reviewsLabelled",
    (count(*) filter (where disposition = 'review' and l.agrees))::int as "reviewsRight",
    (count(l.run_id) filter (where s.run_id is not null))::int as "sampledLabelled",
    (count(s.run_id) filter (where l.agrees))::int as "sampledRight",
    (count(*) filter (where degraded))::int as degraded,
    sum(cited)::int as cited, sum(verified)::int as verified, sum(calls)::int as calls, sum(unpriced)::int as unpriced,
    sum(tokens)::float8 as tokens, sum(cost_usd) as "costUsd",
    percentile_cont(0.5) within group (order by latency_ms) as "p50Ms",
    percentile_cont(0.95) within group (order by latency_ms) as "p95Ms"
  from chosen v left join labels l on l.run_id = v.run_id left join review_samples s on s.run_id = v.run_id`;

const COLUMN: Record<QualityGrouping, string> = {
  prompt: `nullif(v.prompts, '')`,
  model: 'v.model',
  strategy: 'v.strategy',
  provider: 'v.provider',
};

const countsBy = (column: string) => `
  with ${CHOSEN}
  select v.playbook, ${column} as "group", ${FIGURES}
  group by 1, 2 order by count(*) desc, 1, 2`;

const seriesBy = (step: 'hour' | 'day') => `
  with ${CHOSEN}
  select date_trunc('${step}', v.decided_at, 'UTC') as at, v.playbook, null as "group", ${FIGURES}
  group by 1, 2 order by 1, 2`;

// A person who agrees with many verdicts in one request may not have read each one. Calibration therefore
// ignores these labels.
const NOT_IN_BULK = `
    not exists (select from acts a where a.subject = 'review ' || v.case_id and a.type = 'review.agreed' and a."by" = l."by"
      and a.data ->> 'runId' = v.run_id::text and (a.data ->> 'bulk')::boolean)`;

// The confidence of rules and of models is calibrated separately, so rows are grouped by the source of the
// confidence. A verdict by rules after a failed model counts for the rules.
const FORECASTS = `
  with ${CHOSEN}
  select v.playbook, v.strategy, v.prompts, v.model, v.language, v.confidence_source as "confidenceSource",
    v.recalibration, v.confidence, count(*)::int as labels, (count(*) filter (where l.agrees))::int as "right"
  from chosen v join labels l on l.run_id = v.run_id
  where ${NOT_IN_BULK}
  group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1, 2, 3, 4, 5, 6, 7, 8`;

// Begins with the labels, of which there are few. A verdict is labelled after its decision, so older labels do not count.
const PERIOD_LABELS = `
  select v.playbook, (count(*) filter (where v.decided_at < $2::timestamptz))::int as "earlierLabels",
    (count(*) filter (where v.decided_at < $2::timestamptz and l.agrees))::int as "earlierRight",
    (count(*) filter (where v.decided_at >= $2::timestamptz))::int as "recentLabels",
    (count(*) filter (where v.decided_at >= $2::timestamptz and l.agrees))::int as "recentRight"
  from (select distinct on (f.run_id) f.run_id, f.agrees from feedback f where f.at >= $1::timestamptz
      order by f.run_id, f.at desc, f.id desc) l
    join verdict_figures v on v.run_id = l.run_id
  where v.decided_at >= $1::timestamptz
  group by 1 order by 1`;

/** Counts of decided runs in Postgres. @param reads Where they are read. */
export function postgresQualityFigures(database: Database, reads: Queryable): QualityFigures {
  const params = ({ from, to, playbook }: QualityQuery) => [from, to, playbook ?? null];
  return {
    note: async (limit, sampleShare) => {
      const add = () => database.rows<{ n: number | null }>(ADD_DECIDED_RUNS, [limit, sampleShare]);
      let [row] = await add();
      if (row?.n == null) {
        await database.rows(BEGIN, []);
        [row] = await add();
      }
      return row?.n ?? 0;
    },
    counts: (query) =>
      reads.rows<VerdictCounts>(
        countsBy(query.by === undefined ? 'null::text' : COLUMN[query.by]),
        params(query),
      ),
    series: async (query, step) => {
      const rows = await reads.rows<VerdictPeriod & { at: Date }>(seriesBy(step), params(query));
      return rows.map((row) => ({ ...row, at: iso(row.at) }));
    },
    forecasts: (query) => reads.rows<ForecastCount>(FORECASTS, params(query)),
    ...postgresLabels(reads, CHOSEN, NOT_IN_BULK),
    periodLabels: (from, recentFrom) => reads.rows<PeriodLabels>(PERIOD_LABELS, [from, recentFrom]),
    examiners: (query) => reads.rows<ExaminerCounts>(EXAMINERS, params(query)),
    missing: (query, limit) => reads.rows<MissingLookUp>(MISSING, [...params(query), limit]),
  };
}
