import type { Destinations } from '@casefile/contracts';
import { insertInto } from '../columns.js';
import type { Database } from '../database.js';
import { at } from './add-deliveries.js';

/** Kinds of the messages about a review that waits. */
const REVIEW_KINDS = "('review-needed', 'review-overdue')";

// A review no longer waits if a person acted on it, or if the case has a newer verdict that needs no review.
const ENDED_REVIEW = `
  join runs r on r.id = d.run_id and r.disposition = 'review'
  join cases c on c.id = d.case_id
  left join runs l on l.id = c.leading_run_id and l.id <> r.id and l.disposition <> 'review'
  where d.kind in ${REVIEW_KINDS} and (r.reviewed_at is not null or l.id is not null)`;

// The end follows only what a receiver may have got, and only if no newer message about the case followed. Its
// receiver then needs no end of the alert, so the time of that message is cleared.
const END_ALERTS = `
  with ended as (
    update outbound_deliveries o set open_until = null from (
      select d.id from outbound_deliveries d ${ENDED_REVIEW}
        and d.open_until > ${at('$1')} and d.destination = any($2) and d.attempts > 0) e
    where o.id = e.id returning o.id, o.seq, o.destination, o.case_id, o.run_id, o.key, o.event)
  ${insertInto('outbound_deliveries', {
    id: 'gen_random_uuid()',
    destination: 'e.destination',
    kind: "'review-answered'",
    key: "'answered ' || e.id::text",
    case_id: 'e.case_id',
    run_id: 'e.run_id',
    created_at: at('$1'),
    next_at: at('$1'),
    event: `json_build_object('verdictId', coalesce(e.event ->> 'verdictId', e.key))`,
  })} from (select distinct on (destination, case_id) * from ended order by destination, case_id, seq desc) e
  where not exists (select from outbound_deliveries n
    where n.case_id = e.case_id and n.destination = e.destination and n.seq > e.seq
      and n.kind in ('verdict', 'review-needed', 'review-overdue'))
  on conflict do nothing returning id`;

const cancel = (where: string): string => `
  update outbound_deliveries o set state = 'cancelled', next_at = null, taken_until = null, open_until = null,
    ended_at = ${at('$1')}, ended_why = $2
  where o.state = 'pending' and (o.taken_until is null or o.taken_until <= ${at('$1')}) and ${where} returning o.id`;
const CANCEL_REVIEWS = cancel(
  `o.id in (select d.id from outbound_deliveries d ${ENDED_REVIEW} and d.state = 'pending')`,
);
const CANCEL_REMOVED = cancel('o.destination <> all($3)');
const FORGET_REMOVED = 'delete from condition_notices where destination <> all($1)';

/** Deliveries that end without being sent, in Postgres. */
export function cancelledDeliveries(database: Database): Pick<Destinations, 'endReviews' | 'endRemoved'> {
  return {
    endReviews: (resolving, now) =>
      database.transaction(async (tx) => {
        const added = await tx.rows(END_ALERTS, [now, resolving]);
        await tx.rows(CANCEL_REVIEWS, [now, 'The review had ended before this message was sent.']);
        return added.length;
      }),
    endRemoved: (names, now) =>
      database.transaction(async (tx) => {
        const why = 'The destination was removed from the configuration.';
        const rows = await tx.rows(CANCEL_REMOVED, [now, why, names]);
        await tx.rows(FORGET_REMOVED, [names]);
        return rows.length;
      }),
  };
}
