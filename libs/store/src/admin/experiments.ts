import {
  CasefileError,
  experimentFlag,
  MOST_EXPERIMENTS,
  recalibrationFlag,
  toStored,
  type Act,
  type ExperimentAct,
  type ExperimentArm,
  type ExperimentEntry,
  type Experiments,
  type ExperimentState,
  type Json,
  type NewExperiment,
} from '@casefile/contracts';
import type { Experiment } from '../generated/admin/client.js';
import { isUuid } from '../row-set.js';
import { recordAct, statementsIn, type AdminTransaction } from './acts.js';
import type { Administration } from './administration.js';
import { setFlag } from './flag-acts.js';
import { moveVersion } from './prompt-versions.js';

/** Creates, starts, stops and promotes experiments, for the console. */
export function experimentActs(administer: Administration): Omit<Experiments, 'runs'> {
  const acting = (
    id: string,
    act: (tx: AdminTransaction, known: Experiment) => Promise<Experiment>,
  ): Promise<ExperimentEntry | null> =>
    administer((client) =>
      client.$transaction(async (tx) => {
        const known = isUuid(id) ? await lockExperiment(tx, id) : null;
        return known === null ? null : entry(await act(tx, known));
      }),
    );
  return {
    list: () =>
      administer(async (client) => {
        const orderBy = [{ createdAt: 'desc' }, { id: 'desc' }] as const;
        return (await client.experiment.findMany({ orderBy: [...orderBy], take: MOST_EXPERIMENTS })).map(
          entry,
        );
      }),
    get: (id) =>
      administer(async (client) => {
        const found = isUuid(id) ? await client.experiment.findUnique({ where: { id } }) : null;
        return found === null ? null : entry(found);
      }),
    history: (id, take) =>
      administer(async (client) => {
        const where = { subject: subjectOf(id) };
        const orderBy = [{ at: 'desc' }, { id: 'desc' }] as const;
        return (await client.act.findMany({ where, orderBy: [...orderBy], take })).map(toAct);
      }),
    create: (experiment) =>
      administer((client) => client.$transaction((tx) => create(tx, toStored(experiment)))),
    start: (id, act) => acting(id, (tx, known) => start(tx, known, toStored(act))),
    share: (id, share, act) => acting(id, (tx, known) => changeShare(tx, known, share, toStored(act))),
    stop: (id, act) => acting(id, (tx, known) => stop(tx, known, toStored(act))),
    promote: (id, arm, act) => acting(id, (tx, known) => promote(tx, known, arm, toStored(act))),
  };
}

async function create(
  tx: AdminTransaction,
  { actId, by, reason, ...given }: NewExperiment,
): Promise<ExperimentEntry> {
  await lock(tx, 'experiments');
  const known = await tx.act.findUnique({ where: { id: actId } });
  const earlier = known?.type === CREATED ? known.subject.slice(subjectOf('').length) : null;
  if (earlier !== null) {
    const found = await tx.experiment.findUnique({ where: { id: earlier } });
    if (found !== null && found.name === given.name) return entry(found);
  }
  if ((await tx.experiment.count()) >= MOST_EXPERIMENTS)
    throw new CasefileError('too_many', `there are ${MOST_EXPERIMENTS} experiments already`);
  const { id, name, playbook, mode, share } = given;
  await record(tx, id, { type: CREATED, actId, by, reason }, { name, playbook, mode, share });
  const arms = given.arms as unknown as object[];
  return entry(await tx.experiment.create({ data: { ...given, arms, state: 'draft', author: by } }));
}

async function start(tx: AdminTransaction, known: Experiment, act: Act): Promise<Experiment> {
  const { id, playbook, name } = known;
  if (!(await record(tx, id, { type: 'experiment.started', ...act }, { share: known.share }))) return known;
  allow(known, 'start', ['draft', 'stopped']);
  // Two running experiments of one kind would influence each other's comparison, so only one is allowed.
  await lock(tx, `experiments of ${playbook}`);
  const running = await tx.experiment.findFirst({ where: { playbook, state: 'running' } });
  if (running !== null)
    throw new CasefileError(
      'conflict',
      `the experiment "${running.name}" of ${playbook} is running: stop it before "${name}" starts`,
    );
  const startedAt = known.startedAt ?? new Date();
  const data = { state: 'running', startedAt, endedAt: null };
  const started = await tx.experiment.update({ where: { id }, data });
  for (const [of, version] of versionsOf(known)) {
    const found = await tx.promptVersion.findUnique({ where: { playbook_name_version: { ...of, version } } });
    if (found === null)
      throw new CasefileError('conflict', `the prompt ${of.playbook}/${of.name} has no version ${version}`);
    if (found.state === 'live') continue;
    await moveVersion(tx, { ...of, version, to: 'shadow', ...partOf(act, of.name, version) });
  }
  if (known.mode === 'ab')
    await setFlag(tx, { name: experimentFlag(id), variant: 'on', ...partOf(act, 'flag', 1) });
  // Only verdicts decided from now on are judged again, also if the experiment was stopped before. Every committed
  // transaction is below xmax; xmin would let an old open transaction of any database include earlier verdicts.
  else
    await tx.$executeRaw`
      update experiments set cursor = json_build_object('xid', pg_snapshot_xmax(pg_current_snapshot())::text, 'id', '0')
      where id = ${id}::uuid`;
  return started;
}

async function changeShare(
  tx: AdminTransaction,
  known: Experiment,
  share: number,
  act: Act,
): Promise<Experiment> {
  const { id } = known;
  const data = { from: known.share, share };
  if (!(await record(tx, id, { type: 'experiment.share_changed', ...act }, data))) return known;
  allow(known, 'change the share of', ['draft', 'running', 'stopped']);
  return tx.experiment.update({ where: { id }, data: { share } });
}

async function stop(tx: AdminTransaction, known: Experiment, act: Act): Promise<Experiment> {
  const { id } = known;
  if (!(await record(tx, id, { type: 'experiment.stopped', ...act }, {}))) return known;
  allow(known, 'stop', ['running']);
  const stopped = await endExperiment(tx, known, 'stopped', act);
  await returnVersions(tx, known, act);
  return stopped;
}

async function promote(tx: AdminTransaction, known: Experiment, arm: string, act: Act): Promise<Experiment> {
  const { id, playbook } = known;
  if (!(await record(tx, id, { type: 'experiment.promoted', ...act }, { arm }))) return known;
  allow(known, 'promote an arm of', ['running', 'stopped']);
  const chosen = storedArms(known).find(({ name }) => name === arm);
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
async function putInForce(tx: AdminTransaction, version: number, act: Act): Promise<void> {
  const found = await tx.recalibration.findUnique({ where: { version } });
  if (found === null) throw new CasefileError('conflict', `there is no recalibration ${version}`);
  const { playbook, strategy, prompts, model, language, confidenceSource } = found;
  const others = await tx.recalibration.findMany({
    where: { playbook, strategy, prompts, model, language, confidenceSource, version: { not: version } },
  });
  for (const other of others) {
    const flag = await tx.flag.findUnique({ where: { name: recalibrationFlag(other.version) } });
    if (flag?.variant === 'on')
      await setFlag(tx, { name: flag.name, variant: 'off', ...partOf(act, flag.name, 0) });
  }
  const name = recalibrationFlag(version);
  await setFlag(tx, { name, variant: 'on', ...partOf(act, name, 1) });
}

/** Ends an experiment. Its flag is off, so that new runs use the normal settings. */
async function endExperiment(
  tx: AdminTransaction,
  { id, mode, state: from, endedAt }: Experiment,
  state: ExperimentState,
  act: Act,
): Promise<Experiment> {
  if (mode === 'ab' && from === 'running')
    await setFlag(tx, { name: experimentFlag(id), variant: 'off', ...partOf(act, 'flag', 0) });
  return tx.experiment.update({ where: { id }, data: { state, endedAt: endedAt ?? new Date() } });
}

/** Makes the versions of the arms candidates again, unless a person moved a version meanwhile. */
async function returnVersions(tx: AdminTransaction, known: Experiment, act: Act): Promise<void> {
  for (const [of, version] of versionsOf(known)) {
    const found = await tx.promptVersion.findUnique({ where: { playbook_name_version: { ...of, version } } });
    if (found?.state !== 'shadow') continue;
    await moveVersion(tx, { ...of, version, to: 'candidate', ...partOf(act, of.name, version) });
  }
}

function versionsOf(known: Experiment): [of: { playbook: string; name: string }, version: number][] {
  const { playbook } = known;
  const all = storedArms(known).flatMap(({ settings: { prompts = {} } }) => Object.entries(prompts));
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
  tx: AdminTransaction,
  id: string,
  { type, ...act }: Act & { type: string },
  data: Record<string, Json>,
): Promise<boolean> {
  return recordAct(statementsIn(tx), {
    ...act,
    type,
    subject: subjectOf(id),
    data: { ...data, experiment: id },
  });
}

function allow({ name, state }: Experiment, what: string, states: ExperimentState[]): void {
  if (states.some((one) => one === state)) return;
  const next = state === 'stepped_back' ? 'stepped back: reset it first' : state;
  throw new CasefileError('conflict', `cannot ${what} the experiment "${name}", which is ${next}`);
}

async function lockExperiment(tx: AdminTransaction, id: string): Promise<Experiment | null> {
  await lock(tx, subjectOf(id));
  // A step back changes the row without taking the advisory lock, so the row is locked too.
  await tx.$executeRaw`select from experiments where id = ${id}::uuid for update`;
  return tx.experiment.findUnique({ where: { id } });
}

/** Locks the key until the transaction ends, so that other acts with this key wait. */
async function lock(tx: AdminTransaction, key: string): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${key}, 12))`;
}

const storedArms = ({ arms }: Experiment): ExperimentArm[] => arms as unknown as ExperimentArm[];

function entry(row: Experiment): ExperimentEntry {
  const { cursor: _cursor, createdAt, startedAt, endedAt, ...rest } = row;
  return {
    ...rest,
    mode: rest.mode as ExperimentEntry['mode'],
    state: rest.state as ExperimentState,
    arms: storedArms(row),
    createdAt: createdAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
  };
}

function toAct(row: {
  id: string;
  type: string;
  by: string;
  reason: string;
  data: unknown;
  at: Date;
}): ExperimentAct {
  const { share = null, arm = null } = row.data as { share?: number; arm?: string };
  const { id: actId, type, by, reason } = row;
  return { actId, type, by, reason, share, arm, at: row.at.toISOString() };
}
