import {
  cachedFor,
  type CaseReader,
  type ModelSpend,
  type PipelineFigures,
  type RoundFigures,
} from '@casefile/contracts';
import type { Database } from '../database.js';

/** Maximum age in ms of the totals of a day: they cover many rows and change slowly. */
const DAY_MAX_AGE_MS = 15_000;

// Cases of labelled sets do not count as work, but the costs of their model calls do.
const OUTSIDE_DATASETS = `not exists (select from cases c where c.id = e.case_id and c.dataset is not null)`;

// Verdicts made for comparison are not counted, unless they were applied.
const SHOWN = `(r.lane = 'live' or r.id is null
  or exists (select from cases s where s.id = r.case_id and r.id in (s.leading_run_id, s.newest_run_id)))`;

// The condition of the index events_ends, verbatim.
const ENDS = `type IN ('verdict.decided', 'stage.failed', 'run.stopped', 'run.quarantined')
  OR (type = 'tool-call.completed' AND data ->> 'state' = 'failed')`;

// `done`: stages and tool calls that ended in the last minute. Failed calls are counted among the ends of the
// last hour.
const OF_LATE = `
  with done as (
    select e.type, e.data, coalesce(r.lane, 'live') as lane from events e left join runs r on r.id = e.run_id
    where e.at > now() - interval '1 minute' and ${OUTSIDE_DATASETS}
      and (e.type = 'stage.completed' or (e.type = 'tool-call.completed' and e.data ->> 'state' = 'succeeded'))),
  ended as (
    select e.type, e.data, coalesce(r.lane, 'live') as lane
    from (select * from events where at > now() - interval '1 hour' and (${ENDS})) e left join runs r on r.id = e.run_id
    where ${OUTSIDE_DATASETS} and (e.type <> 'verdict.decided' or ${SHOWN})),
  told as (
    select true as is_done, * from done
    union all select false, * from ended where type <> 'verdict.decided'),
  work as (
    select type = 'tool-call.completed' as is_tool, lane, is_done,
      coalesce(data ->> case when type = 'tool-call.completed' then 'tool' else 'stage' end, '') as name,
      coalesce(data ->> 'reasonCode' = 'not_configured', false) as lacks_setting
    from told),
  counted as (
    select is_tool, name, lane, json_build_object('name', name, 'lane', lane,
      'doneLastMinute', count(*) filter (where is_done),
      'failedLastHour', count(*) filter (where not is_done and not lacks_setting),
      'notConfiguredLastHour', count(*) filter (where not is_done and lacks_setting)) as figures
    from work where is_tool or name <> '' group by 1, 2, 3),
  verdicts as (
    select data ->> 'disposition' as disposition, count(*) as n,
      count(*) filter (where (data ->> 'degraded')::boolean) as degraded
    from ended where type = 'verdict.decided' group by 1)
  select coalesce(json_agg(figures order by name collate "C", lane collate "C") filter (where not is_tool), '[]') as stages,
    coalesce(json_agg(figures order by name collate "C", lane collate "C") filter (where is_tool), '[]') as tools,
    (select json_build_object('lastHour', coalesce(sum(n), 0),
      'byDisposition', coalesce(json_object_agg(disposition, n) filter (where disposition is not null), '{}'),
      'fallbackRate', sum(degraded) / sum(n),
      'abstainRate', coalesce(sum(n) filter (where disposition = 'review'), 0) / sum(n)) from verdicts) as verdicts
  from counted`;

const SPEND = `
  select provider, model, count(*)::int as calls, sum(input_tokens + output_tokens)::float8 as tokens,
    coalesce(sum(cost_usd), 0) as "costUsd"
  from llm_interactions where created_at > now() - interval '24 hours' and read_from is null group by 1, 2 order by 5 desc, 1, 2`;

const DEAD = `select (select count(*) from dead_letters)::int
  + (select count(*) from runs where status = 'quarantined' and lane <> 'shadow')::int
  + (select count(*) from runs where status = 'parked' and lane <> 'shadow')::int as n`;

// Uses the index units_held: few units are held, and a million may wait.
const HELD = `
  select stage, lane, count(*)::int as n from units
  where sweep_minute is not null and status = 'due' and held group by 1, 2 order by 1, 2`;

// Uses the index of the sweep, in which only unfinished rows have a minute. Counting stops at a limit, because an
// exact number of a million waiting units is not needed.
const DUE = `
  select stage, count(*)::int as n
  from (select stage from units where sweep_minute is not null and status = 'due' and not held limit $1) waiting
  group by 1 order by 1`;

/** Counts the units that wait for a worker, per stage. */
export function dueUnitsIn(database: Database): CaseReader['dueUnits'] {
  return (limit) => database.rows<{ stage: string; n: number }>(DUE, [limit]);
}

/** Returns recent metrics of the pipeline, using indexes only. */
export function pipelineFiguresIn(database: Database): () => Promise<PipelineFigures> {
  const spend = cachedFor(DAY_MAX_AGE_MS, () => database.rows<ModelSpend>(SPEND));
  return async () => {
    const [[ofLate], dead, held, models] = await Promise.all([
      database.rows<Pick<PipelineFigures, 'stages' | 'tools' | 'verdicts'>>(OF_LATE),
      database.rows<{ n: number }>(DEAD),
      database.rows<PipelineFigures['held'][number]>(HELD),
      spend(),
    ]);
    return { ...ofLate!, models, held, deadLetters: dead[0]?.n ?? 0 };
  };
}

// The conditions imply that of the index events_ends, so that the index finds events by time. An answer that
// another case reused is counted once, for the case that paid for it.
const FIGURES = `
  with ended as (
    select r.id, c.playbook, v.body -> 'outcome' as outcome
    from events e join runs r on r.id = e.run_id join cases c on c.id = r.case_id
      join artifacts v on v.run_id = r.id and v.artifact = 'verdict'
    where e.at > now() - interval '24 hours' and e.type = 'verdict.decided' and c.playbook = any($1::text[])
      and c.dataset is null and r.lane not in ('replay', 'shadow') and v.body -> 'outcome' -> 'reused' is null),
  ruled as (
    select d.playbook, a.body ->> 'ruling' as ruling, count(*)::int as n
    from ended d join artifacts a on a.run_id = d.id and a.artifact = 'review' group by 1, 2)
  select d.playbook, count(*)::int as verdicts, coalesce(avg((d.outcome ->> 'rounds')::float8), 0) as rounds,
    (count(*) filter (where d.outcome ->> 'notConverged' = 'true'))::int as "notConverged",
    coalesce((select json_object_agg(u.ruling, u.n) from ruled u where u.playbook = d.playbook), '{}') as rulings
  from ended d group by d.playbook order by d.playbook`;

/** Returns recent statistics of the rounds per playbook. */
export function roundFiguresIn(database: Database): CaseReader['roundFigures'] {
  const looks = new Map<string, () => Promise<RoundFigures[]>>();
  return async (playbooks) => {
    if (playbooks.length === 0) return [];
    const key = JSON.stringify(playbooks);
    const look =
      looks.get(key) ?? cachedFor(DAY_MAX_AGE_MS, () => database.rows<RoundFigures>(FIGURES, [playbooks]));
    looks.set(key, look);
    return look();
  };
}
