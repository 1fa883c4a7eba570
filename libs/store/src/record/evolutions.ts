import {
  CasefileError,
  HELD_REASONS,
  MOST_EVOLUTIONS,
  storableJson,
  type Act,
  type EvaluatedRun,
  type EvolutionAct,
  type EvolutionEntry,
  type Evolutions,
  type EvolutionStatus,
  type LabelledOutcome,
  type NewEvolution,
} from '@casefile/contracts';
import { recordAct } from '../admin/acts.js';
import type { Database, Queryable } from '../database.js';
import { isUuid } from '../row-set.js';
import { iso, isoOrNull } from '../rows.js';
import { isRight, newestLabels } from './batch-sql.js';
import { redriveRuns } from './dead-letters.js';
import { CITED } from './experiment-runs.js';

/** Money that is spent, or reserved for calls in flight, in US dollars. */
const COST = `coalesce((select (b.spent + b.reserved)::float8 / 1e6 from budgets b
  where b.key = 'batch:' || e.id || ':usd' and b."window" = 'all'), 0)`;
const OWN = `e.id, e.playbook, e.name, e.dataset, e.state, e.reason, e.weights, e.budget_usd as "budgetUsd", ${COST} as "costUsd",
  e.base_version as "baseVersion", e.step, e.report, e.version, e.author, e.created_at as "createdAt", e.ended_at as "endedAt",
  extract(epoch from coalesce(e.ended_at, e.paused_at, now()) - e.created_at)::float8 * 1000 - e.paused_ms as "workedMs"`;
const WHOLE = `select ${OWN}, e.progress from evolutions e`;

const LIST = `select ${OWN}, '{}'::json as progress from evolutions e
  order by e.created_at desc, e.id desc limit ${MOST_EVOLUTIONS}`;

const ADD = `
  insert into evolutions (id, playbook, name, dataset, weights, budget_usd, base_version, progress, author)
  values ($1, $2, $3, $4, $5::json, $6, $7, $8::json, $9)`;

const MOVE = `
  update evolutions e set state = $2, reason = $3, budget_usd = coalesce($4::float8, e.budget_usd),
    paused_at = case when $2 = 'paused' then now() end,
    paused_ms = e.paused_ms + coalesce(extract(epoch from now() - e.paused_at) * 1000, 0),
    ended_at = case when $2 in ('stopped', 'done') then now() end
  where e.id = $1 and e.state = any($5::text[]) and ($6::float8 is null or e.budget_usd = $6) returning e.id`;

const KEEP = `update evolutions set progress = $3::json, step = step + 1 where id = $1 and step = $2 and state = 'running' returning id`;

const FINISH = `
  with ended as (
    update evolutions set state = 'done', report = $3::json, version = $4, step = step + 1, ended_at = now()
    where id = $1 and step = $2 and state = 'running' returning id, playbook, name, version)
  insert into events (type, data)
  select 'evolution.done', json_build_object('evolution', id, 'playbook', playbook, 'name', name, 'version', version)
  from ended returning 1 as ended`;

/** Runs for which an evolution has paused. */
const HELD = `select r.id from runs r where r.settings ->> 'batch' = $1 and r.lane = 'shadow'
  and r.status in ('parked', 'quarantined') and r.reason_code = any($2::text[])`;

const LABELLED = `
  select c.id as "caseId", f.outcome
  from cases c join runs r on r.id = c.leading_run_id and r.status = 'decided'
    cross join lateral (${newestLabels('c.id')}) f
  where c.playbook = $1 and (case when $2::text is null then c.dataset is null else c.dataset = $2 end)
    and exists (select from feedback x where x.case_id = c.id)
  order by c.created_at desc, c.id limit $3`;

/** The last draft of the run that has an answer. */
const ANSWER = `select a.body -> 'answer' from artifacts a where a.run_id = r.id and a.artifact = 'draft'
  order by a.round desc, a.unit limit 1`;
const BRIEF = `select a.body from artifacts a where a.run_id = r.id and a.artifact = 'brief' order by a.unit limit 1`;
const CLAIMS = `
  select coalesce(json_agg(json_build_object('text', k ->> 'text', 'answer', k ->> 'answer')), '[]')
  from (select distinct on (a.unit) a.body from artifacts a where a.run_id = r.id and a.artifact = 'review'
    order by a.unit, a.round desc) v, json_array_elements(v.body -> 'crossExamination' -> 'claims') k
  where json_typeof(v.body -> 'crossExamination' -> 'claims') = 'array'`;

const EVALUATED = `
  select r.id as "runId", r.case_id as "caseId", r.status, r.reason_code as "reasonCode", m.cited, m.supported, m.fallback,
    (${CLAIMS}) as claims, r.confidence, v.body -> 'outcome' as outcome, f.outcome as expected, ${isRight('r')} as right,
    (${ANSWER}) as answer, coalesce(b.body ->> 'text', '') as text, b.body -> 'input' as input,
    (select x.note from feedback x where x.case_id = r.case_id and x.note is not null order by x.at desc, x.id desc limit 1) as note
  from runs r cross join lateral (${CITED}) m
    left join artifacts v on v.run_id = r.id and v.artifact = 'verdict'
    left join lateral (${newestLabels('r.case_id')}) f on true
    left join lateral (${BRIEF}) b on true
  where r.id = any($1::uuid[])`;

/** States that an act allows, and the state after it. */
const ACTS: Record<EvolutionAct, { to: EvolutionStatus; from: EvolutionStatus[] }> = {
  pause: { to: 'paused', from: ['running'] },
  resume: { to: 'running', from: ['paused'] },
  stop: { to: 'stopped', from: ['running', 'paused'] },
};

const STARTED = 'evolution.started';
const evolutionSubject = (id: string): string => `evolution ${id}`;

/** Prompt evolutions in Postgres. */
export function postgresEvolutions(database: Database): Evolutions {
  return {
    list: async () => (await database.rows<EvolutionRow>(LIST)).map(entry),
    get: (id) => evolutionNamed(database, id),
    create: (evolution) => database.transaction((tx) => create(tx, evolution)),
    act: (id, act, by, budgetUsd) => database.transaction((tx) => actOn(tx, id, act, by, budgetUsd ?? null)),
    labelled: ({ playbook, dataset, limit }) =>
      database.rows<LabelledOutcome>(LABELLED, [playbook, dataset, limit]),
    running: async () =>
      (
        await database.rows<EvolutionRow>(`${WHOLE} where e.state = 'running' order by e.created_at, e.id`)
      ).map(entry),
    evaluated: (runIds) => database.rows<EvaluatedRun>(EVALUATED, [runIds]),
    keep: async (id, step, progress) =>
      (await database.rows(KEEP, [id, step, storableJson(progress)])).length > 0,
    hold: async ({ id, budgetUsd }, reason) =>
      void (await database.rows(MOVE, [id, 'paused', reason, null, ['running'], budgetUsd])),
    finish: async (id, step, { report, version }) =>
      (await database.rows(FINISH, [id, step, storableJson(report), version])).length > 0,
  };
}

async function create(tx: Queryable, evolution: NewEvolution): Promise<EvolutionEntry> {
  const { id, playbook, name, dataset, weights, budgetUsd, baseVersion, progress, by, reason, actId } =
    evolution;
  await tx.rows(`select pg_advisory_xact_lock(hashtextextended('evolutions', 12))`);
  const [known] = await tx.rows<{ id: string }>(
    `select substr(subject, 11) as id from acts where id = $1 and type = '${STARTED}'`,
    [actId],
  );
  if (known !== undefined) return (await evolutionNamed(tx, known.id))!;
  const open = await tx.rows(
    `select from evolutions where playbook = $1 and name = $2 and state in ('running', 'paused')`,
    [playbook, name],
  );
  if (open.length > 0)
    throw new CasefileError(
      'conflict',
      `an evolution of ${playbook}/${name} is running or paused: wait for its end, or stop it`,
    );
  const [{ n } = { n: 0 }] = await tx.rows<{ n: number }>('select count(*)::int as n from evolutions');
  if (n >= MOST_EVOLUTIONS)
    throw new CasefileError('too_many', `there are ${MOST_EVOLUTIONS} evolutions already`);
  const data = { evolution: id, playbook, name, budgetUsd };
  await recordAct(tx, { actId, by, reason, type: STARTED, subject: evolutionSubject(id), data });
  const row = [
    id,
    playbook,
    name,
    dataset,
    storableJson(weights),
    budgetUsd,
    baseVersion,
    storableJson(progress),
    by,
  ];
  await tx.rows(ADD, row);
  return (await evolutionNamed(tx, id))!;
}

async function actOn(
  tx: Queryable,
  id: string,
  act: EvolutionAct,
  { actId, by, reason }: Act,
  budgetUsd: number | null,
): Promise<EvolutionEntry | null> {
  if (!isUuid(id)) return null;
  await tx.rows(`select from evolutions where id = $1 for update`, [id]);
  const known = await evolutionNamed(tx, id);
  if (known === null) return null;
  const { to, from } = ACTS[act];
  const data = { evolution: id, from: known.state, to };
  const type = `evolution.${act === 'stop' ? 'stopped' : `${act}d`}`;
  if (!(await recordAct(tx, { actId, by, reason, type, subject: evolutionSubject(id), data }))) return known;
  if (!from.includes(known.state))
    throw new CasefileError('conflict', `cannot ${act} the evolution, which is ${known.state}`);
  await tx.rows(MOVE, [id, to, null, act === 'resume' ? budgetUsd : null, from, null]);
  // In the same transaction, so that the driver does not find the runs still waiting and pause again.
  if (act === 'resume') {
    const held = await tx.rows<{ id: string }>(HELD, [id, HELD_REASONS]);
    await redriveRuns(
      tx,
      held.map((run) => run.id),
    );
  }
  return evolutionNamed(tx, id);
}

async function evolutionNamed(on: Queryable, id: string): Promise<EvolutionEntry | null> {
  const [row] = isUuid(id) ? await on.rows<EvolutionRow>(`${WHOLE} where e.id = $1`, [id]) : [];
  return row === undefined ? null : entry(row);
}

type EvolutionRow = Omit<EvolutionEntry, 'createdAt' | 'endedAt'> & { createdAt: Date; endedAt: Date | null };

function entry({ createdAt, endedAt, ...row }: EvolutionRow): EvolutionEntry {
  return { ...row, createdAt: iso(createdAt), endedAt: isoOrNull(endedAt) };
}
