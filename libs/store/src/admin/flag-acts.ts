import { CasefileError, experimentFlag, toStored, type FlagState, type Flags } from '@casefile/contracts';
import type { Flag } from '../generated/admin/client.js';
import { isUuid } from '../row-set.js';
import { recordAct, statementsIn, type AdminTransaction } from './acts.js';
import type { Administration } from './administration.js';

/** Lists and sets flags, and resets experiments that stepped back, for the console. */
export function flagActs(administer: Administration): Pick<Flags, 'list' | 'set' | 'reset'> {
  return {
    list: () =>
      administer(async (client) => (await client.flag.findMany({ orderBy: { name: 'asc' } })).map(entry)),
    set: (flag) => administer((client) => client.$transaction((tx) => setFlag(tx, toStored(flag)))),
    reset: (...given) => administer((client) => client.$transaction((tx) => reset(tx, ...toStored(given)))),
  };
}

/** Sets a flag, as part of the caller's transaction. */
export async function setFlag(tx: AdminTransaction, flag: Parameters<Flags['set']>[0]): Promise<FlagState> {
  const { name, variant, by, reason, actId } = flag;
  await lock(tx, name);
  const known = await tx.flag.findUnique({ where: { name } });
  const data = { flag: name, from: known?.variant ?? null, to: variant };
  const isNew = await recordAct(statementsIn(tx), {
    actId,
    by,
    reason,
    type: 'flag.changed',
    subject: `flag ${name}`,
    data,
  });
  if (!isNew && known !== null) return entry(known);
  if (known?.latched === true && variant !== known.variant)
    throw new CasefileError('conflict', `the flag ${name} stepped back: reset its experiment first`);
  if (variant === 'on' && (await isIdle(tx, name)))
    throw new CasefileError('conflict', `the experiment of the flag ${name} does not run: start it`);
  const changed = { variant, by, reason, changedAt: new Date() };
  if (known === null) return entry(await tx.flag.create({ data: { name, ...changed } }));
  const version = known.version + 1;
  return entry(await tx.flag.update({ where: { name }, data: { ...changed, version } }));
}

/**
 * Returns whether the flag belongs to an experiment that is not running. Setting such a flag has no effect.
 */
async function isIdle(tx: AdminTransaction, name: string): Promise<boolean> {
  const id = name.slice(experimentFlag('').length);
  if (name !== experimentFlag(id) || !isUuid(id)) return false;
  const experiment = await tx.experiment.findUnique({ where: { id } });
  return experiment !== null && experiment.state !== 'running';
}

async function reset(
  tx: AdminTransaction,
  ...[experimentId, { by, reason, actId }]: Parameters<Flags['reset']>
): Promise<FlagState | null> {
  const name = experimentFlag(experimentId);
  await lock(tx, name);
  const experiment = await tx.experiment.findUnique({ where: { id: experimentId } });
  if (experiment === null) return null;
  const known = await tx.flag.findUnique({ where: { name } });
  const type = 'experiment.reset';
  const data = { experiment: experimentId, flag: name };
  const isNew = await recordAct(statementsIn(tx), {
    actId,
    by,
    reason,
    type,
    subject: `experiment ${experimentId}`,
    data,
  });
  if (!isNew && known !== null) return entry(known);
  if (known?.latched !== true)
    throw new CasefileError('conflict', `the experiment ${experimentId} has not stepped back`);
  // The last outcomes are kept, because they show which runs were already counted.
  await tx.$executeRaw`update arm_health set cusum = 0, consecutive = 0, changed_at = now() where experiment_id = ${experimentId}::uuid`;
  await tx.experiment.update({ where: { id: experimentId }, data: { state: 'stopped' } });
  const changed = { latched: false, by, reason, version: known.version + 1, changedAt: new Date() };
  return entry(await tx.flag.update({ where: { name }, data: changed }));
}

/** Locks the flag until the transaction ends, so that other acts on it wait. */
async function lock(tx: AdminTransaction, name: string): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`flag ${name}`}, 12))`;
}

const entry = ({ name, variant, version, by, reason, latched, changedAt }: Flag): FlagState => ({
  name,
  variant,
  version,
  by,
  reason,
  latched,
  changedAt: changedAt.toISOString(),
});
