import {
  CasefileError,
  experimentFlag,
  shownFlagSchema,
  toStored,
  type FlagState,
  type Flags,
} from '@casefile/contracts';
import type { Database, Queryable } from '../database.js';
import { isUuid } from '../row-set.js';
import { recordBySchema } from '../rows.js';
import { lockKey, recordAct } from './acts.js';

const flagOf = recordBySchema('flags', shownFlagSchema);

const LIST = `select * from flags order by name`;
const READ = `select * from flags where name = $1`;
const SET = `
  insert into flags (name, variant, "by", reason, changed_at) values ($1, $2, $3, $4, clock_timestamp())
  on conflict (name) do update set variant = $2, "by" = $3, reason = $4, version = flags.version + 1,
    changed_at = clock_timestamp()
  returning *`;
const UNLATCH = `
  update flags set latched = false, "by" = $2, reason = $3, version = version + 1, changed_at = clock_timestamp()
  where name = $1 returning *`;
const STATE_OF = 'select state from experiments where id = $1';
const STOP = `update experiments set state = 'stopped' where id = $1`;
// The last outcomes are kept, because they show which runs were already counted.
const CLEAR_SCORE =
  'update arm_health set cusum = 0, consecutive = 0, changed_at = now() where experiment_id = $1';

/** Lists and sets flags, and resets experiments that stepped back, for the console. */
export function flagActs(database: Database): Pick<Flags, 'list' | 'set' | 'reset'> {
  return {
    list: async () => (await database.rows(LIST)).map(flagOf),
    set: (flag) => database.transaction((tx) => setFlag(tx, toStored(flag))),
    reset: (...args) => database.transaction((tx) => reset(tx, ...toStored(args))),
  };
}

/** Returns a flag. null: it was never set. */
export async function readFlag(on: Queryable, name: string): Promise<FlagState | null> {
  const [row] = await on.rows(READ, [name]);
  return row === undefined ? null : flagOf(row);
}

/** Sets a flag, as part of the caller's transaction. */
export async function setFlag(tx: Queryable, flag: Parameters<Flags['set']>[0]): Promise<FlagState> {
  const { name, variant, by, reason, actId } = flag;
  await lockFlag(tx, name);
  const known = await readFlag(tx, name);
  const data = { flag: name, from: known?.variant ?? null, to: variant };
  const act = { actId, by, reason, type: 'flag.changed', subject: `flag ${name}`, data };
  if (!(await recordAct(tx, act)) && known !== null) return known;
  if (known?.latched === true && variant !== known.variant)
    throw new CasefileError('conflict', `the flag ${name} stepped back: reset its experiment first`);
  if (variant === 'on' && (await isIdle(tx, name)))
    throw new CasefileError('conflict', `the experiment of the flag ${name} does not run: start it`);
  const [row] = await tx.rows(SET, [name, variant, by, reason]);
  return flagOf(row!);
}

/**
 * Returns whether the flag belongs to an experiment that is not running. Setting such a flag has no effect.
 */
async function isIdle(tx: Queryable, name: string): Promise<boolean> {
  const id = name.slice(experimentFlag('').length);
  if (name !== experimentFlag(id) || !isUuid(id)) return false;
  const [experiment] = await tx.rows<{ state: string }>(STATE_OF, [id]);
  return experiment !== undefined && experiment.state !== 'running';
}

async function reset(
  tx: Queryable,
  ...[experimentId, { by, reason, actId }]: Parameters<Flags['reset']>
): Promise<FlagState | null> {
  const name = experimentFlag(experimentId);
  await lockFlag(tx, name);
  if ((await tx.rows(STATE_OF, [experimentId])).length === 0) return null;
  const known = await readFlag(tx, name);
  const subject = `experiment ${experimentId}`;
  const data = { experiment: experimentId, flag: name };
  const isNew = await recordAct(tx, { actId, by, reason, type: 'experiment.reset', subject, data });
  if (!isNew && known !== null) return known;
  if (known?.latched !== true)
    throw new CasefileError('conflict', `the experiment ${experimentId} has not stepped back`);
  await tx.rows(CLEAR_SCORE, [experimentId]);
  await tx.rows(STOP, [experimentId]);
  const [row] = await tx.rows(UNLATCH, [name, by, reason]);
  return flagOf(row!);
}

const lockFlag = (tx: Queryable, name: string): Promise<void> => lockKey(tx, `flag ${name}`);
