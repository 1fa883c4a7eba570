import type {
  CaseReader,
  Lane,
  ModelSpend,
  PipelineFigures,
  RoundFigures,
  VerdictFigures,
  WorkDone,
} from '@casefile/contracts';
import { cachedFor } from '../cached-for.js';
import type { Database } from '../database.js';

/** A day's model calls are many rows and change little: they are added up at most this often, in ms. */
const SPEND_MAX_AGE_MS = 15_000;

// What is judged to measure is no work that operators watch; what its model calls cost is spent all the same.
const OF_NO_DATASET = `not exists (select from cases c where c.id = e.case_id and c.dataset is not null)`;

// What a stage or a tool call did; a failed call is counted with the ends.
const DONE = `
  select e.type, coalesce(e.data ->> 'stage', '') as stage, e.data ->> 'tool' as tool, coalesce(r.lane, 'live') as lane,
    null as disposition, null::boolean as degraded, false as "notConfigured", count(*)::int as n
  from events e left join runs r on r.id = e.run_id
  where e.at > now() - interval '1 minute' and ${OF_NO_DATASET}
    and (e.type = 'stage.completed' or (e.type = 'tool-call.completed' and e.data ->> 'state' = 'succeeded'))
  group by 1, 2, 3, 4`;

// Verdicts that are made to compare are no verdicts of the hour, unless they were applied.
const SHOWN = `(r.lane = 'live' or r.id is null
  or exists (select from cases s where s.id = r.case_id and r.id in (s.leading_run_id, s.newest_run_id)))`;

// The condition of the index events_ends, word for word.
const ENDS = `type IN ('verdict.decided', 'stage.failed', 'run.stopped', 'run.quarantined')
  OR (type = 'tool-call.completed' AND data ->> 'state' = 'failed')`;
const ENDED = `
  select e.type, coalesce(e.data ->> 'stage', '') as stage, e.data ->> 'tool' as tool, coalesce(r.lane, 'live') as lane,
    e.data ->> 'disposition' as disposition, (e.data ->> 'degraded')::boolean as degraded,
    coalesce(e.data ->> 'reasonCode' = 'not_configured', false) as "notConfigured", count(*)::int as n
  from (select * from events where at > now() - interval '1 hour' and (${ENDS})) e left join runs r on r.id = e.run_id
  where ${OF_NO_DATASET} and (e.type <> 'verdict.decided' or ${SHOWN})
  group by 1, 2, 3, 4, 5, 6, 7`;

const SPEND = `
  select provider, model, count(*)::int as calls, sum(input_tokens + output_tokens)::float8 as tokens,
    coalesce(sum(cost_usd), 0) as "costUsd"
  from llm_interactions where created_at > now() - interval '24 hours' and read_from is null group by 1, 2 order by 5 desc, 1, 2`;

const DEAD = `select (select count(*) from dead_letters)::int
  + (select count(*) from runs where status = 'quarantined')::int
  + (select count(*) from runs where status = 'parked')::int as n`;

// By the index of the sweep: only what is unfinished has a minute.
const HELD = `
  select stage, lane, count(*)::int as n from units
  where sweep_minute is not null and status = 'due' and held group by 1, 2 order by 1, 2`;

/** What the pipeline did of late, by indexes alone. */
export function pipelineFiguresIn(database: Database): () => Promise<PipelineFigures> {
  const spend = cachedFor(SPEND_MAX_AGE_MS, () => database.rows<ModelSpend>(SPEND));
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

/** Events that are alike, and how many there are of them. */
interface CountedEvent {
  type: string;
  stage: string;
  /** The tool of a tool call. */
  tool: string | null;
  lane: Lane;
  /** Of a verdict, as is the next. */
  disposition: string | null;
  degraded: boolean | null;
  /** A call of a tool that lacks a key or an address. */
  notConfigured: boolean;
  n: number;
}

const VERDICT = 'verdict.decided';
const TOOL_CALL = 'tool-call.completed';

/** Figures of what was done in the last minute and what ended in the last hour. */
function pipelineFiguresOf(
  done: readonly CountedEvent[],
  ended: readonly CountedEvent[],
): Pick<PipelineFigures, 'stages' | 'tools' | 'verdicts'> {
  const failed = ended.filter((event) => event.type !== VERDICT);
  const isCall = (event: CountedEvent): boolean => event.type === TOOL_CALL;
  const isStage = (event: CountedEvent): boolean => !isCall(event) && event.stage !== '';
  return {
    stages: workDone(done.filter(isStage), failed.filter(isStage), (event) => event.stage),
    tools: workDone(done.filter(isCall), failed.filter(isCall), (event) => event.tool ?? ''),
    verdicts: verdictFigures(ended.filter((event) => event.type === VERDICT)),
  };
}

function workDone(
  done: CountedEvent[],
  failed: CountedEvent[],
  nameOf: (event: CountedEvent) => string,
): WorkDone[] {
  const all = new Map<string, WorkDone>();
  const of = (event: CountedEvent): WorkDone => {
    const [name, lane] = [nameOf(event), event.lane];
    const key = JSON.stringify([name, lane]);
    const known = all.get(key) ?? {
      name,
      lane,
      doneLastMinute: 0,
      failedLastHour: 0,
      notConfiguredLastHour: 0,
    };
    all.set(key, known);
    return known;
  };
  for (const event of done) of(event).doneLastMinute += event.n;
  for (const event of failed) {
    of(event)[event.notConfigured ? 'notConfiguredLastHour' : 'failedLastHour'] += event.n;
  }
  return [...all.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, work]) => work);
}

function verdictFigures(verdicts: CountedEvent[]): VerdictFigures {
  const count = (of: CountedEvent[]): number => of.reduce((sum, event) => sum + event.n, 0);
  const lastHour = count(verdicts);
  const byDisposition: Record<string, number> = {};
  for (const { disposition, n } of verdicts) {
    if (disposition !== null) byDisposition[disposition] = (byDisposition[disposition] ?? 0) + n;
  }
  const part = (of: CountedEvent[]): number | null => (lastHour === 0 ? null : count(of) / lastHour);
  return {
    lastHour,
    byDisposition,
    fallbackRate: part(verdicts.filter((event) => event.degraded === true)),
    abstainRate: part(verdicts.filter((event) => event.disposition === 'review')),
  };
}

/** A day's verdicts are many rows and change little: they are added up at most this often, in milliseconds. */
const ROUNDS_MAX_AGE_MS = 15_000;

// The condition of the index events_ends is implied, so that it is found by time. What another case took over is counted there.
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

/** How the rounds of kinds of case ended of late. */
export function roundFiguresIn(database: Database): CaseReader['roundFigures'] {
  const looks = new Map<string, () => Promise<RoundFigures[]>>();
  return async (playbooks) => {
    if (playbooks.length === 0) return [];
    const key = JSON.stringify(playbooks);
    const look =
      looks.get(key) ?? cachedFor(ROUNDS_MAX_AGE_MS, () => database.rows<RoundFigures>(FIGURES, [playbooks]));
    looks.set(key, look);
    return look();
  };
}
