import { PAGE_KINDS, type Destinations, type UnacknowledgedPage } from '@casefile/contracts';
import { isAnsweredRun } from '../answered-sql.js';
import { insertInto } from '../columns.js';
import type { Database } from '../database.js';
import { recordOf } from '../rows.js';
import { at } from './add-deliveries.js';

/** Maximum number of messages that one statement escalates. */
const MOST = 500;
/** Kinds of pages, as a list of SQL. */
const PAGES = `(${PAGE_KINDS.map((kind) => `'${kind}'`).join(', ')})`;
/** The message that was escalated first, for `d`: a destination gets each message once, and its own one never. */
const root = (d: string): string =>
  `case when ${d}.key like 'escalated %' then substr(${d}.key, 11)::uuid else ${d}.id end`;
const isAt = (id: string): string => `exists (
    select from outbound_deliveries e
    where e.destination = $2 and (e.key = 'escalated ' || (${id})::text or e.id = ${id}))`;
/** Time for which the verdicts of a case follow its escalated message. */
const FOLLOWED_FOR = "interval '30 days'";

// `late`: messages that were not accepted in time. The opening of a condition that has closed meanwhile is left out. A
// message that is sent again was accepted before.
// `followed`: the closing message of an escalated opening, and later verdicts of an escalated case, because their
// receiver waits for them. The other destination may get a verdict by its own rule.
// `unacknowledged`: pages of `UNACKNOWLEDGED` that no silence matches.
// Messages of more than a day before their time are left out, so that a new rule does not escalate an old backlog.
// An escalated message is escalated further, until it is back at its first destination.
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
  unacknowledged as (
    select d.id from outbound_deliveries d where d.id = any($7::uuid[]) and d.acknowledged_at is null),
  escalated as materialized (
    select substr(e.key, 11)::uuid as id, e.created_at from outbound_deliveries e
    where e.destination = $2 and e.key like 'escalated %'),
  passed as (
    select o.id as root, o.case_id, o.subject, o.event, o.seq from escalated e
      join outbound_deliveries o on o.id = e.id and o.destination = $1
    union all
    select e.id, o.case_id, o.subject, o.event, o.seq from escalated e
      join outbound_deliveries o on o.destination = $1 and o.key = 'escalated ' || e.id::text),
  followed as (
    select d.id from escalated e join passed o on o.root = e.id
      join outbound_deliveries d on d.destination = $1 and d.subject = o.subject and d.seq > o.seq
        and d.kind = 'condition-closed'
        and d.event -> 'condition' ->> 'openedAt' = o.event -> 'condition' ->> 'openedAt'
    union
    select d.id from escalated e join passed o on o.root = e.id
      join outbound_deliveries d on d.destination = $1 and d.case_id = o.case_id and d.seq > o.seq and d.kind = 'verdict'
        and d.state <> 'withheld'
    where e.created_at > ${at('$4')} - ${FOLLOWED_FOR}
      and not exists (select from outbound_deliveries own where own.destination = $2
        and own.key in (d.key, d.event ->> 'verdictId')))
  ${insertInto('outbound_deliveries', {
    id: 'gen_random_uuid()',
    destination: '$2',
    kind: 'd.kind',
    key: "'escalated ' || d.root::text",
    case_id: 'd.case_id',
    run_id: 'd.run_id',
    created_at: at('$4'),
    next_at: at('$4'),
    open_until: `case when d.case_id is not null then ${at('$5')} end`,
    subject: 'd.subject',
    event: `(jsonb_build_object('verdictId', d.key) || coalesce(d.event::jsonb, '{}')
      || case when d.why is not null then jsonb_build_object('escalatedFrom', $1::text, 'escalatedWhy', d.why) else '{}' end)::json`,
  })}
  from (
    select o.*, n.why, r.root from (
      select id, case when bool_or(why is null) then null else min(why) end as why from (
        select id, 'not-accepted' as why from late union all select id, 'not-acknowledged' from unacknowledged
        union all select id, null from followed) every group by id) n
      join outbound_deliveries o on o.id = n.id
      cross join lateral (select ${root('o')} as root) r
    where (n.why = 'not-acknowledged' or o.created_at > ${at('$4')} - interval '1 day' - $3::float8 * interval '1 ms')
      and not ${isAt('r.root')}
    order by o.seq limit ${MOST}) d
  order by d.seq on conflict do nothing returning id`;

// The newest page of a case at a destination stands for the earlier ones. A review of an earlier run is over.
const UNACKNOWLEDGED = `
  select d.id, d.run_id from outbound_deliveries d join cases c on c.id = d.case_id
    left join runs l on l.id = c.leading_run_id
  where d.destination = $1 and d.state = 'delivered' and d.kind in ${PAGES} and d.acknowledged_at is null
    and d.ended_at <= ${at('$4')} - $3::float8 * interval '1 ms'
    and d.ended_at > ${at('$4')} - interval '1 day' - $3::float8 * interval '1 ms'
    and c.status <> 'closed' and c.resolved_at is null
    and l.disposition is distinct from 'dismiss' and (d.kind = 'verdict' or d.run_id = l.id)
    and not (${isAnsweredRun('c.id', 'c.leading_run_id')})
    and not exists (select from reviews v where v.case_id = c.id and v.run_id = l.id and v.state = 'acknowledged')
    and not exists (select from outbound_deliveries n where n.case_id = d.case_id and n.destination = $1
      and n.seq > d.seq and n.kind in ${PAGES} and n.state <> 'withheld')
    and not ${isAt(root('d'))}
  order by d.seq limit ${MOST}`;
const pageOf = recordOf<UnacknowledgedPage>()(['id', 'runId']);

/** Escalations of messages, in Postgres. */
export function escalations(database: Database): Pick<Destinations, 'escalate' | 'unacknowledged'> {
  return {
    unacknowledged: async ({ from, to, withinMs }, now) =>
      (await database.rows(UNACKNOWLEDGED, [from, to, withinMs, now])).map(pageOf),
    escalate: async ({ from, to, afterMs, openUntil, closedSubjects, unacknowledged }, now) => {
      const params = [from, to, afterMs, now, openUntil, closedSubjects, unacknowledged];
      return (await database.rows(ESCALATE, params)).length;
    },
  };
}
