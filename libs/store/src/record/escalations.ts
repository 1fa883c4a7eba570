import type { Destinations } from '@casefile/contracts';
import { insertInto } from '../columns.js';
import type { Database } from '../database.js';
import { at } from './add-deliveries.js';

/** Maximum number of messages that one statement escalates. */
const MOST = 500;

// A closing message follows an escalated opening one, because the receiver of the opening waits for it. Messages of
// more than a day before their time are left out, so that a new rule does not escalate an old backlog. A message that is
// sent again was accepted before.
const ESCALATE = `
  ${insertInto('outbound_deliveries', {
    id: 'gen_random_uuid()',
    destination: '$2',
    kind: 'd.kind',
    key: "'escalated ' || d.id::text",
    case_id: 'd.case_id',
    run_id: 'd.run_id',
    created_at: at('$4'),
    next_at: at('$4'),
    open_until: `case when d.case_id is not null then ${at('$5')} end`,
    subject: 'd.subject',
    event: `(jsonb_build_object('verdictId', d.key) || coalesce(d.event::jsonb, '{}') || jsonb_build_object('escalatedFrom', $1::text))::json`,
  })}
  from (
    select d.* from outbound_deliveries d
    where d.destination = $1 and d.created_at > ${at('$4')} - interval '1 day' - $3::float8 * interval '1 ms' and d.key not like 'escalated %'
      and ((d.state <> 'delivered' and d.created_at <= ${at('$4')} - $3::float8 * interval '1 ms'
          and d.kind in ('verdict', 'review-needed', 'review-overdue', 'condition-opened', 'delivery-failing')
          and not exists (select from delivery_attempts a where a.delivery_id = d.id and a.problem is null))
        or (d.kind = 'condition-closed' and exists (
          select from outbound_deliveries o join outbound_deliveries e
            on e.destination = $2 and e.key = 'escalated ' || o.id::text
          where o.destination = $1 and o.subject = d.subject and o.seq < d.seq
            and o.event -> 'condition' ->> 'openedAt' = d.event -> 'condition' ->> 'openedAt')))
      and not exists (
        select from outbound_deliveries e where e.destination = $2 and e.key = 'escalated ' || d.id::text)
    order by d.seq limit ${MOST}) d
  order by d.seq on conflict do nothing returning id`;

/** Escalations of messages, in Postgres. */
export function escalations(database: Database): Pick<Destinations, 'escalate'> {
  return {
    escalate: async ({ from, to, afterMs, openUntil }, now) =>
      (await database.rows(ESCALATE, [from, to, afterMs, now, openUntil])).length,
  };
}
