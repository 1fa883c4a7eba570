import type {
  CaseReader,
  EventRecord,
  JsonObject,
  ModelSpend,
  PipelineFigures,
  Lane,
  VerdictFigures,
  WorkDone,
} from '@casefile/contracts';
import type { Database } from '../database.js';
import { alertImage, getCase, getRun, resolvedAt } from './get-case.js';
import { listCases } from './list-cases.js';
import { placeOfEvent } from './cursor.js';
import { encode } from '../storable.js';
import { eventOf } from '../rows.js';
import { cachedFor } from '../cached-for.js';
import { roundFiguresIn } from './round-figures.js';

/** The record in Postgres, as it is read. */
export function recordReader(database: Database): CaseReader {
  return {
    listCases: (query) => listCases(database, query),
    getCase: (caseId) => getCase(database, caseId),
    getRun: (runId) => getRun(database, runId),
    alertImage: (caseId, alertId) => alertImage(database, caseId, alertId),
    eventsAfter: (after, limit) => eventsAfter(database, after, limit),
    lastEventId: () => lastEventId(database),
    resolvedAt: (caseId) => resolvedAt(database, caseId),
    noteOperatorAction: (what, data) => noteOperatorAction(database, what, data),
    pipelineFigures: pipelineFiguresIn(database),
    roundFigures: roundFiguresIn(database),
    isEmpty: () => isEmpty(database),
  };
}

async function isEmpty(database: Database): Promise<boolean> {
  const [row] = await database.rows<{ empty: boolean }>('select not exists (select from cases) as empty');
  return row?.empty ?? true;
}

// Events are in the order of (transaction, sequence). A transaction that is still open may yet write events that come
// before others that are there already: readers stop at the oldest of them.
const SETTLED = `xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

const EVENTS_AFTER = `
  select xid::text, id::text, type, case_id, run_id, data, at from events
  where ${SETTLED} and (xid, id) > ($1::bigint, $2::bigint) order by events.xid, events.id limit $3`;

async function eventsAfter(database: Database, after: string | null, limit: number): Promise<EventRecord[]> {
  const place = after === null ? { xid: '0', id: '0' } : placeOfEvent(after);
  return (await database.rows<{ xid: string; id: string }>(EVENTS_AFTER, [place.xid, place.id, limit])).map(
    eventOf,
  );
}

async function lastEventId(database: Database): Promise<string | null> {
  const [row] = await database.rows<{ xid: string; id: string }>(
    `select xid::text, id::text from events where ${SETTLED} order by events.xid desc, events.id desc limit 1`,
  );
  return row === undefined ? null : `${row.xid}.${row.id}`;
}

/** What a person did outside the record. */
async function noteOperatorAction(database: Database, what: string, data: JsonObject): Promise<void> {
  await database.rows('insert into events (type, data) values ($1, $2::json)', [
    `operator.${what}`,
    encode(data),
  ]);
}

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
function pipelineFiguresIn(database: Database): () => Promise<PipelineFigures> {
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
