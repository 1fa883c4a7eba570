import type { Destinations } from '@casefile/contracts';
import type { Database, Queryable } from '../database.js';
import { isUuid } from '../row-set.js';
import { at } from './add-deliveries.js';

/**
 * Returns the statement that sends deliveries again. Earlier deliveries of the same case or subject that still wait are
 * sent too, because they come first. So are all later ones of the same subject: otherwise a condition that opens again at
 * its receiver would never close there. A waiting delivery that a process sends at this time keeps its lease.
 */
const resend = (where: string): string => `
  with asked as (
    select id, seq, destination, case_id, subject from outbound_deliveries where ${where} and state <> 'cancelled'),
  others as (
    select d.id from asked a join outbound_deliveries d on d.case_id = a.case_id and d.destination = a.destination
    where d.state = 'pending' and d.seq < a.seq
    union
    select d.id from asked a join outbound_deliveries d on d.subject = a.subject and d.destination = a.destination
    where (d.seq < a.seq and d.state = 'pending') or (d.seq > a.seq and d.state <> 'cancelled'))
  update outbound_deliveries d set state = 'pending', attempts = 0, next_at = ${at('$1')}, ended_at = null,
    taken_until = case when d.state = 'pending' then d.taken_until end
  where d.id in (select id from asked union select id from others) returning d.id`;

const RESEND_ONE = resend('id = $2');
const RESEND_SINCE = resend('destination = $2 and created_at >= $3::timestamptz and state = any($4)');

/** Deliveries that are sent again, in Postgres. @param note Records the act of a person. */
export function resends(
  database: Database,
  note: (on: Queryable, what: string, data: object) => Promise<unknown>,
): Pick<Destinations, 'resend' | 'resendSince'> {
  return {
    resend: (id, by, now) =>
      database.transaction(async (tx) => {
        const rows = isUuid(id) ? await tx.rows(RESEND_ONE, [now, id]) : [];
        if (rows.length > 0) await note(tx, 'resent-delivery', { deliveryId: id, by });
        return rows.length > 0;
      }),
    resendSince: (destination, since, states, by, now) =>
      database.transaction(async (tx) => {
        const rows = await tx.rows(RESEND_SINCE, [now, destination, since, states]);
        await note(tx, 'resent-deliveries', { destination, since, count: rows.length, by });
        return rows.length;
      }),
  };
}
