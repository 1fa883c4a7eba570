import { storableJson, type ConditionNotice, type Destinations } from '@casefile/contracts';
import type { Database } from '../database.js';
import { recordOf } from '../rows.js';
import { addDeliveries } from './add-deliveries.js';

const NOTICES = 'select * from condition_notices order by destination, condition_id';
const noticeOf = recordOf<ConditionNotice>()([
  'destination',
  'conditionId',
  'isOpen',
  'condition',
  'openedAt',
  'closedAt',
  'version',
]);

// A row of another version than the replaced one was written by another process, whose message counts.
const WRITE = `
  insert into condition_notices as c (destination, condition_id, is_open, condition, opened_at, closed_at, version)
  select n.destination, n."conditionId", n."isOpen", n.condition, n."openedAt", n."closedAt", 1
  from json_to_recordset($1) n(destination text, "conditionId" text, "isOpen" boolean, condition json,
    "openedAt" timestamptz, "closedAt" timestamptz, replaces int)
  on conflict (destination, condition_id) do update
  set is_open = excluded.is_open, condition = excluded.condition, opened_at = excluded.opened_at,
    closed_at = excluded.closed_at, version = c.version + 1
  where c.version = (select n.replaces from json_to_recordset($1) n(destination text, "conditionId" text, replaces int)
    where n.destination = c.destination and n."conditionId" = c.condition_id)
  returning c.destination, c.condition_id`;

const REPORTED = 'select at from reported_until where kind = $1';
const SET_REPORTED = `
  insert into reported_until (kind, at) values ($1, to_timestamp($2::float8 / 1000))
  on conflict (kind) do update set at = excluded.at`;

/** Messages about conditions, in Postgres. */
export function conditionNotices(
  database: Database,
): Pick<Destinations, 'notices' | 'addNotices' | 'reportedUntil' | 'setReportedUntil'> {
  return {
    notices: async () => (await database.rows(NOTICES)).map(noticeOf),
    addNotices: (notices, now) =>
      database.transaction(async (tx) => {
        if (notices.length === 0) return 0;
        const rows = await tx.rows<{ destination: string; condition_id: string }>(WRITE, [
          storableJson(notices),
        ]);
        const isWritten = ({ destination, conditionId }: { destination: string; conditionId: string }) =>
          rows.some((row) => row.destination === destination && row.condition_id === conditionId);
        await addDeliveries(
          tx,
          notices.filter(isWritten).map(({ delivery }) => delivery),
          now,
        );
        return rows.length;
      }),
    reportedUntil: async (kind) =>
      (await database.rows<{ at: Date }>(REPORTED, [kind]))[0]?.at.getTime() ?? null,
    setReportedUntil: async (...row) => void (await database.rows(SET_REPORTED, row)),
  };
}
