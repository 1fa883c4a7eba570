import type { EventRecord, JsonObject } from '@casefile/contracts';
import { placeOfEvent } from '../plan/cursor.js';
import { encode } from '../storable.js';
import type { Database } from './database.js';
import { eventOf, type EventRow } from './rows.js';

// Events are in the order of (transaction, sequence). A transaction that is still open may yet write events that come
// before others that are there already: readers stop at the oldest of them.
const SETTLED = `xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

const EVENTS_AFTER = `
  select xid::text, id::text, type, case_id, run_id, data, at from events
  where ${SETTLED} and (xid, id) > ($1::bigint, $2::bigint) order by events.xid, events.id limit $3`;

export async function eventsAfter(
  database: Database,
  after: string | null,
  limit: number,
): Promise<EventRecord[]> {
  const place = after === null ? { xid: '0', id: '0' } : placeOfEvent(after);
  return (await database.rows<EventRow>(EVENTS_AFTER, [place.xid, place.id, limit])).map(eventOf);
}

export async function lastEventId(database: Database): Promise<string | null> {
  const [row] = await database.rows<{ xid: string; id: string }>(
    `select xid::text, id::text from events where ${SETTLED} order by events.xid desc, events.id desc limit 1`,
  );
  return row === undefined ? null : `${row.xid}.${row.id}`;
}

/** What a person did outside the record. */
export async function noteOperatorAction(database: Database, what: string, data: JsonObject): Promise<void> {
  await database.rows('insert into events (type, data) values ($1, $2::json)', [
    `operator.${what}`,
    encode(data),
  ]);
}
