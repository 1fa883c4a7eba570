import {
  CasefileError,
  experimentFlag,
  MOST_EXPERIMENTS,
  recalibrationFlag,
  toStored,
  type Act,
  type ExperimentEntry,
  type Experiments,
  type ExperimentState,
  type Json,
  type NewExperiment,
  type PromptName,
  type PromptState,
} from '@casefile/contracts';
import { columnList, copyColumns, insertInto, tableColumns } from '../columns.js';
import type { Database, Queryable } from '../database.js';
import { isUuid, rowSet, WithClause } from '../row-set.js';
import { recordOf } from '../rows.js';
import { actHistory, lockKey, recordAct } from './acts.js';
import { readFlag, setFlag } from './flag-acts.js';
import { moveVersion, versionsOf } from '../record/prompts.js';

const GIVEN = [
  'id',
  'name',
  'playbook',
  'mode',
  'arms',
  'share',
  'margin',
  'salt',
  'state',
  'author',
] as const;
const NUMBERS = ['expected_cases', 'budget_usd'] as const;
const ALL = `${columnList('experiments', '', ...GIVEN, ...NUMBERS, 'created_at', 'started_at', 'ended_at')}, error_limit as "limit"`;
const entryOf = recordOf<ExperimentEntry>()([
  ...GIVEN,
  'expectedCases',
  'budgetUsd',
  'limit',
  'createdAt',
  'startedAt',
  'endedAt',
]);

const LIST = `select ${ALL} from experiments order by created_at desc, id desc limit ${MOST_EXPERIMENTS}`;
const READ = `select ${ALL} from experiments where id = $1`;
const COUNT = 'select count(*)::int as n from experiments';
const ROWS = rowSet('given', tableColumns('experiments', ...GIVEN, ...NUMBERS, 'error_limit'));
const ADD = `
  ${insertInto('experiments', copyColumns('g', ...GIVEN, ...NUMBERS, 'error_limit'))} from given g returning ${ALL}`;
const CREATED_BY = 'select type, subject from acts where id = $1';
const RUNNING = `select name from experiments where playbook = $1 and state = 'running' limit 1`;
// Only verdicts decided from now on are judged again, also if the experiment was stopped before. Every committed
// transaction is below xmax; xmin would let an old open transaction of any database include earlier verdicts.
const START = `
  update experiments set state = 'running', started_at = coalesce(started_at, clock_timestamp()), ended_at = null,
    cursor = case when mode = 'ab' then cursor
      else json_build_object('xid', pg_snapshot_xmax(pg_current_snapshot())::text, 'id', '0') end
  where id = $1 returning ${ALL}`;
const SET_SHARE = `update experiments set share = $2 where id = $1 returning ${ALL}`;
const END = `
  update experiments set state = $2, ended_at = coalesce(ended_at, clock_timestamp()) where id = $1 returning ${ALL}`;
const RECALIBRATION = 'select from recalibrations where version = $1';
const OF_SAME_SOURCE = `
  select o.version from recalibrations r join recalibrations o
    on (o.playbook, o.strategy, o.prompts, o.confidence_source) = (r.playbook, r.strategy, r.prompts, r.confidence_source)
    and o.model is not distinct from r.model and o.language is not distinct from r.language and o.version <> r.version
  where r.version = $1 order by o.version`;

/** Creates, starts, stops and promotes experiments, for the console. */
export function experimentActs(database: Database): Omit<Experiments, 'runs'> {
  const acting = (
    id: string,
    act: (tx: Queryable, known: ExperimentEntry) => Promise<ExperimentEntry>,
  ): Promise<ExperimentEntry | null> =>
    database.transaction(async (tx) => {
      const known = isUuid(id) ? await lockExperiment(tx, id) : null;
      return known === null ? null : act(tx, known);
    });
  return {
    list: async () => (await database.rows(LIST)).map(entryOf),
    get: async (id) => (isUuid(id) ? one(database, READ, [id]) : null),
    history: async (id, limit) =>
      (await actHistory<{ share?: number; arm?: string }>(database, subjectOf(id), limit)).map(
        ({ data: { share = null, arm = null }, ...act }) => ({ ...act, share, arm }),
      ),
    create: (experiment) => database.transaction((tx) => create(tx, toStored(experiment))),
    start: (id, act) => acting(id, (tx, known) => start(tx, known, toStored(act))),
    share: (id, share, act) => acting(id, (tx, known) => changeShare(tx, known, share, toStored(act))),
    stop: (id, act) => acting(id, (tx, known) => stop(tx, known, toStored(act))),
    promote: (id, arm, act) => acting(id, (tx, known) => promote(tx, known, arm, toStored(act))),
  };
}

/** Returns the experiment that a statement returns. null: it returns none. */
async function one(on: Queryable, text: string, params: unknown[]): Promise<ExperimentEntry | null> {
  const [row] = await on.rows(text, params);
  return row === undefined ? null : entryOf(row);
}

async function create(
  tx: Queryable,
  { actId, by, reason, limit, ...definition }: NewExperiment,
): Promise<ExperimentEntry> {
  await lockKey(tx, 'experiments');
  const [known] = await tx.rows<{ type: string; subject: string }>(CREATED_BY, [actId]);
  if (known?.type === CREATED) {
    const experiment = await one(tx, READ, [known.subject.slice(subjectOf('').length)]);
    if (experiment !== null && experiment.name === definition.name) return experiment;
  }
  const [count] = await tx.rows<{ n: number }>(COUNT);
  if ((count?.n ?? 0) >= MOST_EXPERIMENTS)
    throw new CasefileError('too_many', `there are ${MOST_EXPERIMENTS} experiments already`);
  const { id, name, playbook, mode, share } = definition;
  await record(tx, id, { type: CREATED, actId, by, reason }, { name, playbook, mode, share });
  const row = { ...definition, errorLimit: limit, state: 'draft', author: by };
  const { text, params } = new WithClause().rows(ROWS, [row]).statement(ADD);
  const [added] = await tx.rows(text, params);
  return entryOf(added!);
}

async function start(tx: Queryable, known: ExperimentEntry, act: Act): Promise<ExperimentEntry> {
  const { id, playbook, name } = known;
  if (!(await record(tx, id, { type: 'experiment.started', ...act }, { share: known.share }))) return known;
  allow(known, 'start', ['draft', 'stopped']);
  // Two running experiments of one kind would influence each other's comparison, so only one is allowed.
  await lockKey(tx, `experiments of ${playbook}`);
  const [running] = await tx.rows<{ name: string }>(RUNNING, [playbook]);
  if (running !== undefined)
    throw new CasefileError(
      'conflict',
      `the experiment "${running.name}" of ${playbook} is running: stop it before "${name}" starts`,
    );
  const [started] = await tx.rows(START, [id]);
  for (const [of, version] of promptsOf(known)) {
    const state = await stateOf(tx, of, version);
    if (state === null)
      throw new CasefileError('conflict', `the prompt ${of.playbook}/${of.name} has no version ${version}`);
    if (state === 'live') continue;
    await moveVersion(tx, { ...of, version, to: 'shadow', ...partOf(act, of.name, version) });
  }
  if (known.mode === 'ab')
    await setFlag(tx, { name: experimentFlag(id), variant: 'on', ...partOf(act, 'flag', 1) });
  return entryOf(started!);
}

async function changeShare(
  tx: Queryable,
  known: ExperimentEntry,
  share: number,
  act: Act,
): Promise<ExperimentEntry> {
  const { id } = known;
  const data = { from: known.share, share };
  if (!(await record(tx, id, { type: 'experiment.share_changed', ...act }, data))) return known;
  allow(known, 'change the share of', ['draft', 'running', 'stopped']);
  const [changed] = await tx.rows(SET_SHARE, [id, share]);
  return entryOf(changed!);
}

async function stop(tx: Queryable, known: ExperimentEntry, act: Act): Promise<ExperimentEntry> {
  const { id } = known;
  if (!(await record(tx, id, { type: 'experiment.stopped', ...act }, {}))) return known;
  allow(known, 'stop', ['running']);
  const stopped = await endExperiment(tx, known, 'stopped', act);
  await returnVersions(tx, known, act);
  return stopped;
}

async function promote(
  tx: Queryable,
  known: ExperimentEntry,
  arm: string,
  act: Act,
): Promise<ExperimentEntry> {
  const { id, playbook } = known;
  if (!(await record(tx, id, { type: 'experiment.promoted', ...act }, { arm }))) return known;
  allow(known, 'promote an arm of', ['running', 'stopped']);
  const chosen = known.arms.find(({ name }) => name === arm);
  if (chosen === undefined) throw new CasefileError('not_found', `the experiment has no arm "${arm}"`);
  const promoted = await endExperiment(tx, known, 'promoted', act);
  for (const [name, version] of Object.entries(chosen.settings.prompts ?? {}))
    await moveVersion(tx, { playbook, name, version, to: 'live', ...partOf(act, name, version) });
  await returnVersions(tx, known, act);
  const { recalibration } = chosen.settings;
  if (recalibration !== undefined) await putInForce(tx, recalibration, act);
  return promoted;
}

/** Switches a recalibration on for all new runs, and others of the same source off. */
async function putInForce(tx: Queryable, version: number, act: Act): Promise<void> {
  if ((await tx.rows(RECALIBRATION, [version])).length === 0)
    throw new CasefileError('conflict', `there is no recalibration ${version}`);
  for (const other of await tx.rows<{ version: number }>(OF_SAME_SOURCE, [version])) {
    const flag = await readFlag(tx, recalibrationFlag(other.version));
    if (flag?.variant === 'on')
      await setFlag(tx, { name: flag.name, variant: 'off', ...partOf(act, flag.name, 0) });
  }
  const name = recalibrationFlag(version);
  await setFlag(tx, { name, variant: 'on', ...partOf(act, name, 1) });
}

/** Ends an experiment. Its flag is off, so that new runs use the normal settings. */
async function endExperiment(
  tx: Queryable,
  { id, mode, state: from }: ExperimentEntry,
  state: ExperimentState,
  act: Act,
): Promise<ExperimentEntry> {
  if (mode === 'ab' && from === 'running')
    await setFlag(tx, { name: experimentFlag(id), variant: 'off', ...partOf(act, 'flag', 0) });
  const [ended] = await tx.rows(END, [id, state]);
  return entryOf(ended!);
}

/** Makes the versions of the arms candidates again, unless a person moved a version meanwhile. */
async function returnVersions(tx: Queryable, known: ExperimentEntry, act: Act): Promise<void> {
  for (const [of, version] of promptsOf(known)) {
    if ((await stateOf(tx, of, version)) !== 'shadow') continue;
    await moveVersion(tx, { ...of, version, to: 'candidate', ...partOf(act, of.name, version) });
  }
}

async function stateOf(tx: Queryable, of: PromptName, version: number): Promise<PromptState | null> {
  const versions = await versionsOf(tx, of);
  return versions.find((one) => one.version === version)?.state ?? null;
}

/** Returns the prompt versions of the arms, each once. */
function promptsOf({ playbook, arms }: ExperimentEntry): [of: PromptName, version: number][] {
  const all = arms.flatMap(({ settings: { prompts = {} } }) => Object.entries(prompts));
  const once = new Map(all.map(([name, version]) => [`${name}@${version}`, { name, version }]));
  return [...once.values()].map(({ name, version }) => [{ playbook, name }, version]);
}

/** Returns an act for a part of the experiment: the same person and reason, with a separate id. */
const partOf = ({ actId, by, reason }: Act, part: string, version: number): Act => ({
  actId: `${actId} ${part} ${version}`,
  by,
  reason,
});

const CREATED = 'experiment.created';
const subjectOf = (id: string): string => `experiment ${id}`;

function record(
  tx: Queryable,
  id: string,
  { type, ...act }: Act & { type: string },
  data: Record<string, Json>,
): Promise<boolean> {
  return recordAct(tx, {
    ...act,
    type,
    subject: subjectOf(id),
    data: { ...data, experiment: id },
  });
}

function allow({ name, state }: ExperimentEntry, what: string, states: ExperimentState[]): void {
  if (states.some((one) => one === state)) return;
  const next = state === 'stepped_back' ? 'stepped back: reset it first' : state;
  throw new CasefileError('conflict', `cannot ${what} the experiment "${name}", which is ${next}`);
}

async function lockExperiment(tx: Queryable, id: string): Promise<ExperimentEntry | null> {
  await lockKey(tx, subjectOf(id));
  // A step back changes the row without taking the advisory lock, so the row is locked too.
  return one(tx, `${READ} for update`, [id]);
}
