import {
  MOST_LABELS,
  type LabelFacts,
  type LabelQuery,
  type QualityFigures,
  type QualityQuery,
  type VerdictLabel,
} from '@casefile/contracts';
import type { Queryable } from '../database.js';
import { iso } from '../rows.js';

const SOURCE = `v.playbook, v.strategy, v.prompts, v.model, v.language, v.confidence_source, v.recalibration`;

/** Ages of the labels of each source, and the shares right in the older and the newer half of its verdicts. */
const labelFactsBy = (chosen: string, where: string) => `
  with ${chosen},
  newest as (
    select distinct on (playbook, confidence_source) playbook, confidence_source, strategy, prompts, model
    from chosen order by playbook, confidence_source, decided_at desc, run_id desc),
  halves as (
    select ${SOURCE}, l.at, l.agrees, ntile(2) over (partition by ${SOURCE} order by v.decided_at, v.run_id) as half
    from chosen v join labels l on l.run_id = v.run_id where ${where})
  select h.playbook, h.strategy, h.prompts, h.model, h.language, h.confidence_source as "confidenceSource", h.recalibration,
    min(h.at) as oldest, max(h.at) as newest, percentile_disc(0.5) within group (order by h.at) as median,
    (count(*) filter (where h.half = 1))::int as "olderLabels",
    (count(*) filter (where h.half = 1 and h.agrees))::int as "olderRight",
    (count(*) filter (where h.half = 2))::int as "newerLabels",
    (count(*) filter (where h.half = 2 and h.agrees))::int as "newerRight",
    bool_and((n.strategy, n.prompts, coalesce(n.model, '')) = (h.strategy, h.prompts, coalesce(h.model, ''))) as "isCurrent"
  from halves h join newest n on n.playbook = h.playbook and n.confidence_source = h.confidence_source
  group by 1, 2, 3, 4, 5, 6, 7`;

// $4 names the requested fields, so that null is a value of a field.
const filterCondition = (field: string, column: string) =>
  `(not ($4::jsonb ? '${field}') or ${column} is not distinct from $4::jsonb ->> '${field}')`;

const verdictLabelsBy = (chosen: string, where: string) => `
  with ${chosen}, source as (
    select c.*, coalesce(c.stated_source, c.confidence_source) as "confidenceSource",
      coalesce(c.stated_confidence, c.confidence) as stated
    from chosen c)
  select newest.*, (
      select a.data ->> 'event' from acts a
      where a.subject = 'review ' || newest."caseId" and a."by" = newest."by" and a.data ->> 'runId' = newest."runId"::text
        and a.type in ('review.agreed', 'review.corrected')
      order by a.at desc limit 1) as event
  from (
    select v.run_id as "runId", v.case_id as "caseId", v.playbook, v.strategy, v.prompts, v.model, v.language,
      v."confidenceSource", v.stated as confidence, l.agrees as "right", l.outcome, l."by", l.at,
      v.decided_at as "decidedAt", s.run_id is not null as sampled
    from source v join labels l on l.run_id = v.run_id left join review_samples s on s.run_id = v.run_id
    where ${filterCondition('strategy', 'v.strategy')} and ${filterCondition('prompts', 'v.prompts')} and ${filterCondition('model', 'v.model')}
      and ${filterCondition('language', 'v.language')} and ${filterCondition('confidenceSource', 'v."confidenceSource"')} and ${where}
    order by v.decided_at desc, v.run_id desc limit ${MOST_LABELS}) newest
  order by "decidedAt", "runId"`;

/**
 * Labels of verdicts in Postgres.
 * @param chosen common table expressions `chosen` and `labels`
 * @param where condition for labels that calibration counts
 */
export function postgresLabels(
  database: Queryable,
  chosen: string,
  where: string,
): Pick<QualityFigures, 'labels' | 'labelFacts'> {
  const [facts, verdictLabels] = [labelFactsBy(chosen, where), verdictLabelsBy(chosen, where)];
  return {
    labelFacts: async ({ from, to, playbook }: QualityQuery) => {
      type Row = Omit<LabelFacts, 'oldest' | 'newest' | 'median'> &
        Record<'oldest' | 'newest' | 'median', Date>;
      const rows = await database.rows<Row>(facts, [from, to, playbook ?? null]);
      return rows.map(({ oldest, newest, median, ...row }) => ({
        ...row,
        oldest: iso(oldest),
        newest: iso(newest),
        median: iso(median),
      }));
    },
    labels: async ({ from, to, playbook, ...fields }: LabelQuery) => {
      type Row = Omit<VerdictLabel, 'at' | 'decidedAt'> & { at: Date; decidedAt: Date };
      const rows = await database.rows<Row>(verdictLabels, [from, to, playbook, JSON.stringify(fields)]);
      return rows.map((row) => ({ ...row, at: iso(row.at), decidedAt: iso(row.decidedAt) }));
    },
  };
}
