import {
  CasefileError,
  storableJson,
  toStored,
  type Act,
  type AddedDestination,
  type Destinations,
  type Json,
} from '@casefile/contracts';
import { columnList } from '../columns.js';
import type { Database, Queryable } from '../database.js';
import { recordOf } from '../rows.js';
import { lockKey, recordAct } from './acts.js';

const ENTRY = columnList('destination_entries', '', 'name', 'entry', 'changed_by', 'changed_at');
/** Reads a row of `LIST_ADDED_DESTINATIONS`. */
export const addedDestinationOf = recordOf<AddedDestination>()(['name', 'entry', 'changedBy', 'changedAt']);

/** Lists the destinations that were added on the page. */
export const LIST_ADDED_DESTINATIONS = `select ${ENTRY} from destination_entries order by name`;
const READ = `select ${ENTRY} from destination_entries where name = $1`;
const PUT = `
  insert into destination_entries (name, entry, changed_by, changed_at) values ($1, $2::json, $3, clock_timestamp())
  on conflict (name) do update set entry = excluded.entry, changed_by = excluded.changed_by, changed_at = excluded.changed_at
  returning ${ENTRY}`;
const REMOVE = 'delete from destination_entries where name = $1 returning name';
const IS_KNOWN_ACT = 'select from acts where id = $1';
const END_PENDING = `
  update outbound_deliveries set state = 'cancelled', next_at = null, taken_until = null, open_until = null, ended_at = now(),
    ended_why = 'The destination was removed.'
  where destination = $1 and state = 'pending'`;
const FORGET_NOTICES = 'delete from condition_notices where destination = $1';
const FORGET_PAUSE = 'delete from destinations where name = $1';

/** Lists added destinations, and adds, changes and removes them for the console. */
export function destinationActs(database: Database): Pick<Destinations, 'added' | 'put' | 'remove'> {
  return {
    added: async () => (await database.rows(LIST_ADDED_DESTINATIONS)).map(addedDestinationOf),
    put: (...args) => database.transaction((tx) => put(tx, ...toStored(args))),
    remove: (...args) => database.transaction((tx) => remove(tx, ...toStored(args))),
  };
}

async function put(
  tx: Queryable,
  ...[what, { name, entry }, act]: Parameters<Destinations['put']>
): Promise<AddedDestination | null> {
  await lockKey(tx, subjectOf(name));
  const [known] = await tx.rows(READ, [name]);
  if (what === 'change' && known === undefined) return null;
  const type = what === 'add' ? 'destination.added' : 'destination.changed';
  // The entry has placeholders instead of secrets, but its URL and headers may identify a receiver.
  const isNew = await record(tx, act, type, name, { type: entry.type });
  if (!isNew && known !== undefined) return addedDestinationOf(known);
  if (what === 'add' && known !== undefined)
    throw new CasefileError(
      'conflict',
      `there is a destination ${name} already: change it, or choose a name`,
    );
  const [row] = await tx.rows(PUT, [name, storableJson(entry), act.by]);
  return addedDestinationOf(row!);
}

async function remove(tx: Queryable, name: string, act: Act): Promise<boolean> {
  await lockKey(tx, subjectOf(name));
  const removed = await tx.rows(REMOVE, [name]);
  if (removed.length === 0) return (await tx.rows(IS_KNOWN_ACT, [act.actId])).length > 0;
  await tx.rows(END_PENDING, [name]);
  await tx.rows(FORGET_NOTICES, [name]);
  await tx.rows(FORGET_PAUSE, [name]);
  return record(tx, act, 'destination.removed', name, {});
}

const subjectOf = (name: string): string => `destination ${name}`;

function record(
  tx: Queryable,
  act: Act,
  type: string,
  name: string,
  data: Record<string, Json>,
): Promise<boolean> {
  return recordAct(tx, { ...act, type, subject: subjectOf(name), data: { destination: name, ...data } });
}
