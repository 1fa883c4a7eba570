import type { History, SeriesGrouping, SeriesMetric, SeriesPoint, SeriesStep } from '@casefile/contracts';
import type { Database } from '../database.js';
import { iso } from '../rows.js';

/** Longest period that is summed again, in milliseconds. Minutes of older hours may be removed already. */
const MOST_SINCE_MS = 47 * 3_600_000;

const SAMPLE = `
  insert into series_samples as s (step, metric, bucket, name, value)
  select 'minute', metric, date_trunc('minute', now(), 'UTC'), name, value
  from unnest($1::text[], $2::text[], $3::float8[]) given (metric, name, value)
  on conflict (step, metric, bucket, name) do update set value = greatest(s.value, excluded.value)`;

// The condition implies that of the index events_ends, so that the index finds events by time.
const FAILURES = `
  insert into series_samples (step, metric, bucket, name, value)
  select 'minute', 'failures', date_trunc('minute', e.at, 'UTC'),
    coalesce(e.data ->> case when e.type = 'tool-call.completed' then 'tool' else 'stage' end, ''), count(*)
  from events e
  where e.at >= date_trunc('minute', now() - $1 * interval '1 millisecond', 'UTC')
    and (e.type IN ('stage.failed', 'run.stopped', 'run.quarantined')
      OR (e.type = 'tool-call.completed' AND e.data ->> 'state' = 'failed'))
    and (e.data ->> 'reasonCode') is distinct from 'not_configured'
    and not exists (select from cases c where c.id = e.case_id and c.dataset is not null)
  group by 3, 4
  on conflict (step, metric, bucket, name) do update set value = excluded.value`;

const HOURS = `
  insert into series_samples (step, metric, bucket, name, value)
  select 'hour', metric, date_trunc('hour', bucket, 'UTC'), name,
    case metric when 'failures' then sum(value) else max(value) end
  from series_samples
  where step = 'minute' and bucket >= date_trunc('hour', now() - $1 * interval '1 millisecond', 'UTC')
  group by 2, 3, 4
  on conflict (step, metric, bucket, name) do update set value = excluded.value`;

const REMOVE = `
  delete from series_samples
  where (step = 'minute' and bucket < now() - interval '49 hours') or (step = 'hour' and bucket < now() - interval '90 days')`;

const OF_VERDICTS: Partial<Record<SeriesMetric, string>> = {
  verdicts: 'count(*)::float8',
  latency_p50: 'percentile_cont(0.5) within group (order by latency_ms)',
  latency_p95: 'percentile_cont(0.95) within group (order by latency_ms)',
  cost: 'sum(cost_usd)',
  tokens: 'sum(tokens)::float8',
};

const COLUMN: Partial<Record<SeriesGrouping, string>> = {
  playbook: 'playbook',
  disposition: 'disposition',
  model: `coalesce(provider || '/' || model, provider, 'none')`,
};

const verdictSeries = (value: string, group: string, step: SeriesStep) => `
  select date_trunc('${step}', decided_at, 'UTC') as at, ${group} as "group", ${value} as value
  from verdict_figures where decided_at >= $1::timestamptz and decided_at < $2::timestamptz
  group by 1, 2 order by 1, 2`;

// The value of a queue is its maximum within the step. The total over all queues is the sum of depths.
const sampleSeries = (step: SeriesStep, isGrouped: boolean) => `
  with named as (
    select date_trunc('${step}', bucket, 'UTC') as at, name,
      case when $3 = 'failures' then sum(value) else max(value) end as value
    from series_samples
    where step = '${step === 'minute' ? 'minute' : 'hour'}' and metric = $3
      and bucket >= $1::timestamptz and bucket < $2::timestamptz
    group by 1, 2)
  ${
    isGrouped
      ? 'select at, name as "group", value from named order by 1, 2'
      : `select at, null as "group", case when $3 = 'queue_age' then max(value) else sum(value) end as value
         from named group by 1 order by 1`
  }`;

/** Metrics over time in Postgres. */
export function postgresHistory(database: Database): History {
  return {
    sample: async (depths) => {
      const samples = depths.flatMap(({ queue, waiting, oldestMs }) => [
        ['queue_depth', queue, waiting] as const,
        ['queue_age', queue, oldestMs ?? 0] as const,
      ]);
      const busy = samples.filter(([, , value]) => value > 0);
      if (busy.length === 0) return;
      await database.rows(SAMPLE, [
        busy.map(([it]) => it),
        busy.map(([, it]) => it),
        busy.map(([, , it]) => it),
      ]);
    },
    sum: async (sinceMs) => {
      const since = [Math.min(sinceMs, MOST_SINCE_MS)];
      await database.rows(FAILURES, since);
      await database.rows(HOURS, since);
      await database.rows(REMOVE, []);
    },
    series: async ({ metric, from, to, step, by }) => {
      const value = OF_VERDICTS[metric];
      const rows =
        value === undefined
          ? await database.rows<SeriesPoint & { at: Date }>(sampleSeries(step, by === 'name'), [
              from,
              to,
              metric,
            ])
          : await database.rows<SeriesPoint & { at: Date }>(
              verdictSeries(value, (by && COLUMN[by]) ?? 'null::text', step),
              [from, to],
            );
      return rows.map((row) => ({ ...row, at: iso(row.at) }));
    },
  };
}
