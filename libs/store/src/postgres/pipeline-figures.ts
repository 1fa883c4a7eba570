import type { ModelSpend, PipelineFigures } from '@casefile/contracts';
import { freshFor } from '../fresh-for.js';
import { pipelineFiguresOf, type CountedEvent } from '../plan/pipeline-figures.js';
import type { Database } from './database.js';

/** A day's model calls are many rows and change little: they are added up at most this often, in ms. */
const SPEND_MAX_AGE_MS = 15_000;

// What a stage or a tool call did; a failed call is counted with the ends.
const DONE = `
  select e.type, coalesce(e.data ->> 'stage', '') as stage, e.data ->> 'tool' as tool, coalesce(r.lane, 'live') as lane,
    null as disposition, null::boolean as degraded, false as "notConfigured", count(*)::int as n
  from events e left join runs r on r.id = e.run_id
  where e.at > now() - interval '1 minute'
    and (e.type = 'stage.completed' or (e.type = 'tool-call.completed' and e.data ->> 'state' = 'succeeded'))
  group by 1, 2, 3, 4`;

// The condition of the index events_ends, word for word.
const ENDS = `type IN ('verdict.decided', 'stage.failed', 'run.stopped', 'run.quarantined')
  OR (type = 'tool-call.completed' AND data ->> 'state' = 'failed')`;
const ENDED = `
  select e.type, coalesce(e.data ->> 'stage', '') as stage, e.data ->> 'tool' as tool, coalesce(r.lane, 'live') as lane,
    e.data ->> 'disposition' as disposition, (e.data ->> 'degraded')::boolean as degraded,
    coalesce(e.data ->> 'reasonCode' = 'not_configured', false) as "notConfigured", count(*)::int as n
  from (select * from events where at > now() - interval '1 hour' and (${ENDS})) e left join runs r on r.id = e.run_id
  group by 1, 2, 3, 4, 5, 6, 7`;

const SPEND = `
  select provider, model, count(*)::int as calls, sum(input_tokens + output_tokens)::float8 as tokens,
    coalesce(sum(cost_usd), 0) as "costUsd"
  from llm_interactions where created_at > now() - interval '24 hours' group by 1, 2 order by 5 desc, 1, 2`;

const DEAD = `select (select count(*) from dead_letters)::int
  + (select count(*) from runs where status = 'quarantined')::int
  + (select count(*) from runs where status = 'parked')::int as n`;

// By the index of the sweep: only what is unfinished has a minute.
const HELD = `
  select stage, lane, count(*)::int as n from units
  where sweep_minute is not null and status = 'due' and held group by 1, 2 order by 1, 2`;

/** What the pipeline did of late, by indexes alone. */
export function pipelineFiguresIn(database: Database): () => Promise<PipelineFigures> {
  const spend = freshFor(SPEND_MAX_AGE_MS, () => database.rows<ModelSpend>(SPEND));
  return async () => {
    const [done, ended, dead, held, models] = await Promise.all([
      database.rows<CountedEvent>(DONE),
      database.rows<CountedEvent>(ENDED),
      database.rows<{ n: number }>(DEAD),
      database.rows<PipelineFigures['held'][number]>(HELD),
      spend(),
    ]);
    return { ...pipelineFiguresOf(done, ended), models, held, deadLetters: dead[0]?.n ?? 0 };
  };
}
