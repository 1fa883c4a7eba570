import type { Queryable } from '../database.js';
import { isAfter, type CheckedEntry, type StoredEntry } from './audit-chain.js';

/** Name of the reader of events that writes the audit log. */
export const READER = 'audit';

const ACTOR = `coalesce(data ->> 'caller', data ->> 'by', data ->> 'editedBy', '')`;
/**
 * Condition of events that belong on the log: those with an actor, and those that only a person causes, also if their
 * requests state no name. It is the condition of the index `events_of_people`.
 */
export const IS_ACT = `(${ACTOR} <> '' or type like 'operator.%'
  or type in ('batch.created', 'batch.applied', 'batch.discarded'))`;

/** Most missing acts that one statement returns. */
const MOST_MISSING = 100;
const PLACE = (place: string): string =>
  `(split_part(${place}, '.', 1)::bigint, split_part(${place}, '.', 2)::bigint)`;
const ACTS = `
  select xid || '.' || id as id, type from events
  where (xid, id) > ${PLACE('$1::text')} and (xid, id) <= ${PLACE('$2::text')} and ${IS_ACT}
  order by xid, id limit $3::int`;

// One statement, so that an entry and the place of its writer are read as they were written: in one transaction.
const AFTER_LAST = `
  with last as (select event_xid, event_id, read_to from audit_entries order by seq desc limit 1),
    place as (select xid, event_id from event_readers where name = '${READER}')
  select place.xid || '.' || place.event_id as place, last.read_to as "readTo",
    place.xid >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint as "isAhead",
    (select json_agg(e) from (
      select xid || '.' || id as id, type from events
      where (xid, id) > (coalesce(last.event_xid, 0), coalesce(last.event_id, 0))
        and (xid, id) <= greatest((place.xid, place.event_id), (last.event_xid, last.event_id)) and ${IS_ACT}
      order by xid, id limit ${MOST_MISSING}) e) as acts
  from place left join last on true`;
const UNBORN = `
  select count(*)::int as count from events
  where xid >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`;

interface Act {
  id: string;
  type: string;
}

/**
 * Returns what is missing among a page of entries: acts between two entries that have no entry.
 * @param entries entries in their order, as they follow the entry `before`
 */
export async function missingBetween(
  on: Queryable,
  before: CheckedEntry,
  entries: readonly StoredEntry[],
): Promise<string[]> {
  const last = entries.at(-1);
  if (last === undefined) return [];
  const acts = await on.rows<Act>(ACTS, [before.eventId, last.eventId, entries.length + MOST_MISSING]);
  const known = new Set(entries.map(({ eventId }) => eventId));
  const missing = new Map<number, string[]>();
  let next = 0;
  for (const { id, type } of acts.filter((act) => !known.has(act.id))) {
    while (next < entries.length - 1 && isAfter(id, entries[next]!.eventId)) next += 1;
    missing.set(next, [...(missing.get(next) ?? []), type]);
  }
  return [...missing].map(([place, types]) => {
    const { seq: from } = entries[place - 1] ?? before;
    const { seq: to } = entries[place]!;
    return missingActs(from === 0 ? `before entry ${to}` : `between entry ${from} and entry ${to}`, types);
  });
}

/** Returns what is wrong with the place of the log's writer, and with the events after the last entry. */
export async function missingAtEnd(on: Queryable, { seq }: CheckedEntry): Promise<string[]> {
  const [[end], [unborn]] = await Promise.all([
    on.rows<{ place: string; readTo: string | null; isAhead: boolean; acts: Act[] | null }>(AFTER_LAST),
    on.rows<{ count: number }>(UNBORN),
  ]);
  const problems: string[] = [];
  if (end === undefined) {
    if (seq > 0) problems.push('the place up to which the log was written is missing');
  } else {
    if (end.isAhead) problems.push('the place up to which the log was written is later than every event');
    if (end.readTo !== null && isAfter(end.readTo, end.place))
      problems.push('the place up to which the log was written was moved back');
    const types = (end.acts ?? []).map(({ type }) => type);
    if (types.length > 0) problems.push(missingActs(`after entry ${seq}`, types));
  }
  const { count = 0 } = unborn ?? {};
  if (count > 0)
    problems.push(
      `${count} events have transactions that this server has not begun, so the log never reads them`,
    );
  return problems;
}

function missingActs(where: string, types: readonly string[]): string {
  const names = [...new Set(types)].slice(0, 5).join(', ');
  const acts = types.length === 1 ? '1 act has' : `${types.length} acts have`;
  return `${acts} no entry ${where}: ${names}`;
}
