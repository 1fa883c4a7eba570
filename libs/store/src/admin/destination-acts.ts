import {
  CasefileError,
  toStored,
  type Act,
  type AddedDestination,
  type Destinations,
  type Json,
} from '@casefile/contracts';
import type { DestinationEntry } from '../generated/admin/client.js';
import { recordAct, statementsIn, type AdminTransaction } from './acts.js';
import type { Administration } from './administration.js';

/** Adds, changes and removes added destinations, for the console. */
export function destinationActs(administer: Administration): Pick<Destinations, 'put' | 'remove'> {
  return {
    put: (...given) => administer((client) => client.$transaction((tx) => put(tx, ...toStored(given)))),
    remove: (...given) => administer((client) => client.$transaction((tx) => remove(tx, ...toStored(given)))),
  };
}

async function put(
  tx: AdminTransaction,
  ...[what, { name, entry }, act]: Parameters<Destinations['put']>
): Promise<AddedDestination | null> {
  await lock(tx, name);
  const known = await tx.destinationEntry.findUnique({ where: { name } });
  if (what === 'change' && known === null) return null;
  const type = what === 'add' ? 'destination.added' : 'destination.changed';
  // The entry has placeholders instead of secrets, but its URL and headers may identify a receiver.
  const isNew = await record(tx, act, type, name, { type: entry.type });
  if (!isNew && known !== null) return shown(known);
  if (what === 'add' && known !== null)
    throw new CasefileError(
      'conflict',
      `there is a destination ${name} already: change it, or choose a name`,
    );
  const data = { entry, changedBy: act.by, changedAt: new Date() };
  const kept = await tx.destinationEntry.upsert({ where: { name }, create: { name, ...data }, update: data });
  return shown(kept);
}

const END_PENDING = `
  update outbound_deliveries set state = 'exhausted', next_at = null, taken_until = null, open_until = null, ended_at = now()
  where destination = $1 and state = 'pending'`;
const FORGET_PAUSE = 'delete from destinations where name = $1';

async function remove(tx: AdminTransaction, name: string, act: Act): Promise<boolean> {
  await lock(tx, name);
  const { count } = await tx.destinationEntry.deleteMany({ where: { name } });
  if (count === 0) return (await tx.act.findUnique({ where: { id: act.actId } })) !== null;
  const on = statementsIn(tx);
  await on.rows(END_PENDING, [name]);
  await on.rows(FORGET_PAUSE, [name]);
  return record(tx, act, 'destination.removed', name, {});
}

function record(
  tx: AdminTransaction,
  act: Act,
  type: string,
  name: string,
  data: Record<string, Json>,
): Promise<boolean> {
  const what = { type, subject: `destination ${name}`, data: { destination: name, ...data } };
  return recordAct(statementsIn(tx), { ...act, ...what });
}

/** Other acts on the destination wait for the end of this transaction. */
async function lock(tx: AdminTransaction, name: string): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`destination ${name}`}, 12))`;
}

const shown = ({ name, entry, changedBy, changedAt }: DestinationEntry): AddedDestination => ({
  name,
  entry: entry as AddedDestination['entry'],
  changedBy,
  changedAt: changedAt.toISOString(),
});
