import type { Destinations } from '@casefile/contracts';
import { insertInto } from '../columns.js';
import type { Database } from '../database.js';
import { at } from './add-deliveries.js';

/** Maximum number of messages that one statement escalates. */
const MOST = 500;
/** Time for which the verdicts of a case follow its escalated message. */
const FOLLOWED_FOR = "interval '30 days'";

// `late`: messages that were not accepted in time. The opening of a condition that has closed meanwhile is left out. A
// message that is sent again was accepted before.
// `followed`: the closing message of an escalated opening, and later verdicts of an escalated case, because their
// receiver waits for them. The other destination may get a verdict by its own rule.
// Messages of more than a day before their time are left out, so that a new rule does not escalate an old backlog.
const ESCALATE = `
  with late as (
    select d.id from outbound_deliveries d
    where d.destination = $1 and d.state in ('pending', 'exhausted')
      and d.created_at <= ${at('$4')} - $3::float8 * interval '1 ms'
      and d.kind in ('verdict', 'review-needed', 'review-overdue', 'condition-opened', 'delivery-failing')
      and not exists (select from delivery_attempts a where a.delivery_id = d.id and a.problem is null)
      and (d.subject is null or (not d.subject = any($6) and not exists (
        select from outbound_deliveries c where c.destination = $1 and c.subject = d.subject and c.seq > d.seq
          and c.kind = 'condition-closed')))),
  escalated as materialized (
    select substr(e.key, 11)::uuid as id, e.created_at from outbound_deliveries e
    where e.destination = $2 and e.key like 'escalated %'),
  followed as (
    select d.id from escalated e join outbound_deliveries o on o.id = e.id and o.destination = $1
      join outbound_deliveries d on d.destination = $1 and d.subject = o.subject and d.seq > o.seq
        and d.kind = 'condition-closed'
        and d.event -> 'condition' ->> 'openedAt' = o.event -> 'condition' ->> 'openedAt'
    union
    select d.id from escalated e join outbound_deliveries o on o.id = e.id and o.destination = $1
      join outbound_deliveries d on d.destination = $1 and d.case_id = o.case_id and d.seq > o.seq and d.kind = 'verdict'
        and d.state <> 'withheld'
    where e.created_at > ${at('$4')} - ${FOLLOWED_FOR}
      and not exists (select from outbound_deliveries own where own.destination = $2 and own.key = d.key))
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
    event: `(jsonb_build_object('verdictId', d.key) || coalesce(d.event::jsonb, '{}')
      || case when d.is_late then jsonb_build_object('escalatedFrom', $1::text) else '{}' end)::json`,
  })}
  from (
    select o.*, n.is_late from (
      select id, bool_and(is_late) as is_late from (
        select id, true as is_late from late union all select id, false from followed) both_kinds group by id) n
      join outbound_deliveries o on o.id = n.id
    where o.created_at > ${at('$4')} - interval '1 day' - $3::float8 * interval '1 ms' and o.key not like 'escalated %'
      and not exists (
        select from outbound_deliveries e where e.destination = $2 and e.key = 'escalated ' || o.id::text)
    order by o.seq limit ${MOST}) d
  order by d.seq on conflict do nothing returning id`;

/** Escalations of messages, in Postgres. */
export function escalations(database: Database): Pick<Destinations, 'escalate'> {
  return {
    escalate: async ({ from, to, afterMs, openUntil, closedSubjects }, now) =>
      (await database.rows(ESCALATE, [from, to, afterMs, now, openUntil, closedSubjects])).length,
  };
}
