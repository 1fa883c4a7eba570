import {
  isObject,
  toStored,
  storableJson,
  type AttemptEnd,
  type DestinationState,
  type Destinations,
  type PauseLimits,
  type TakenDelivery,
} from '@casefile/contracts';
import { insertInto } from '../columns.js';
import type { Database, Queryable } from '../database.js';
import { isUuid } from '../row-set.js';
import { recordOf } from '../rows.js';
import { addDeliveries, addUnlessSilent, at } from './add-deliveries.js';
import { cancelledDeliveries } from './cancel-deliveries.js';
import { conditionNotices } from './condition-notices.js';
import { deliveryList } from './delivery-list.js';
import { escalations } from './escalations.js';
import { resends } from './resend-deliveries.js';

// Only the oldest pending delivery of a case or another subject is due, so that deliveries are sent in order.
const TAKE = `
  update outbound_deliveries t set taken_until = ${at('$3')}
  from (
    select d.id from outbound_deliveries d
    where d.destination = $1 and d.state = 'pending' and d.next_at <= ${at('$2')}
      and (d.taken_until is null or d.taken_until <= ${at('$2')})
      and (d.kind = 'test'
        or not exists (select from destinations p where p.name = d.destination and p.paused_at is not null))
      and not exists (
        select from outbound_deliveries o
        where o.case_id = d.case_id and o.destination = d.destination and o.state = 'pending' and o.seq < d.seq)
      and (d.subject is null or not exists (
        select from outbound_deliveries o
        where o.destination = d.destination and o.next_at is not null and o.subject = d.subject and o.seq < d.seq))
    order by d.next_at, d.seq limit $4 for update skip locked) due
  where t.id = due.id returning t.*`;

const takenOf = recordOf<TakenDelivery>()([
  'id',
  'kind',
  'key',
  'caseId',
  'runId',
  'attempts',
  'message',
  'createdAt',
  'event',
]);

// If another process ended the delivery meanwhile, its end is kept.
const ATTEMPTED = `
  with noted as (
    insert into delivery_attempts (delivery_id, at, status, latency_ms, problem, response)
    values ($1, $2::timestamptz, $3::int, $4, $5, $6)),
  ended as (
    update outbound_deliveries set attempts = attempts + 1, message = coalesce(message, $7), taken_until = null,
      last_at = ${at('$8')}, state = $9, next_at = ${at('$10')},
      ended_at = case when $9 = 'pending' then null else ${at('$8')} end
    where id = $1 and state = 'pending')`;
// The row of the destination is updated once per state and second. Other attempts must not even propose it: a conflict
// locks the row, also if its `where` excludes the update, and attempts would wait for each other with a connection each.
const SUCCEEDED = `${ATTEMPTED}
  insert into destinations as d (name, last_success_at) select $11, ${at('$8')}
  where not exists (select from destinations s where s.name = $11 and s.failing_since is null
    and s.last_success_at >= ${at('$8')} - interval '1 s')
  on conflict (name) do update set failing_since = null, last_success_at = excluded.last_success_at`;
// The select does not see the row of the first failure, which is not late. The rule that pauses counts from the end of
// the last pause, because a destination that a person resumed gets the whole time again.
const FAILED = `${ATTEMPTED},
  noted_failure as (
    insert into destinations as d (name, failing_since, last_failure_at, last_problem) select $11, ${at('$8')}, ${at('$8')}, $5
    where not exists (select from destinations s where s.name = $11 and s.failing_since is not null
      and s.last_failure_at > ${at('$8')} - interval '1 s')
    on conflict (name) do update set failing_since = coalesce(d.failing_since, excluded.failing_since),
      last_failure_at = excluded.last_failure_at, last_problem = excluded.last_problem)
  select ${at('$8')} - greatest(d.failing_since, d.resumed_at) >= $12::float8 * interval '1 ms' as late,
    greatest(d.failing_since, d.resumed_at) as counted_since
  from destinations d where d.name = $11 and d.failing_since is not null`;
const NOT_COUNTED = `${ATTEMPTED} select`;
const COUNT_FAILED = `
  select count(*)::int as n from outbound_deliveries
  where destination = $1 and state not in ('delivered', 'withheld') and last_at >= $2 and kind <> 'test'`;
const PAUSE = `
  insert into destinations (name, paused_at, paused_by, paused_why) values ($1, ${at('$2')}, $3, $4)
  on conflict (name) do update set paused_at = excluded.paused_at, paused_by = excluded.paused_by, paused_why = excluded.paused_why
  where destinations.paused_at is null returning name`;
const RESUME = `
  with resumed as (
    update destinations set paused_at = null, paused_by = null, paused_why = null, resumed_at = ${at('$2')}
    where name = $1 and paused_at is not null returning name)
  update outbound_deliveries d set next_at = ${at('$2')} from resumed r
  where d.destination = r.name and d.state = 'pending' and d.next_at > ${at('$2')}`;

/** A page of a storm is open while one of its alerts fires. A day after it arrived, an alert no longer counts. */
const IS_STORM_OVER = `not exists (
      select from storm_members m join cases s on s.id = m.case_id
      where m.storm_id = d.case_id and m.state in ('waiting', 'taken') and m.joined_at > now() - interval '24 hours'
        and s.resolved_at is null and s.status <> 'closed')`;
const ADD_RESOLVED = `
  with ended as (
    update outbound_deliveries d set open_until = null from cases c
    where d.open_until > ${at('$2')} and d.destination = any($1) and c.id = d.case_id and c.resolved_at is not null and d.state <> 'withheld'
      and ${IS_STORM_OVER}
    returning d.destination, d.case_id, d.run_id, d.id)
  ${insertInto('outbound_deliveries', {
    id: 'gen_random_uuid()',
    destination: 'e.destination',
    kind: "'resolved'",
    key: "'resolved ' || max(e.id::text)",
    case_id: 'e.case_id',
    run_id: 'max(e.run_id::text)::uuid',
    created_at: at('$2'),
    next_at: at('$2'),
  })} from ended e group by e.destination, e.case_id on conflict do nothing returning id`;

/** Time in which a case that flaps is reported once. */
const FLAPPING_ONCE = "interval '24 hours'";
/** Verdicts that receivers have of cases that flap. $1: destinations; $2: now. */
const FLAPPING = `
    select distinct on (d.destination, d.case_id) d.destination, d.case_id, d.run_id,
      coalesce(d.event ->> 'verdictId', d.key) as verdict_id,
      d.key || ' flapping ' || (select count(*) from outbound_deliveries f
        where f.case_id = c.id and f.destination = d.destination and f.kind = 'flapping') as key
    from cases c join outbound_deliveries d on d.case_id = c.id and d.kind = 'verdict' and d.state <> 'withheld'
    where c.flapped_at > now() - interval '1 hour' and d.destination = any($1)
      and not exists (select from outbound_deliveries f where f.case_id = c.id and f.destination = d.destination
        and f.kind = 'flapping' and f.created_at > ${at('$2')} - ${FLAPPING_ONCE})
    order by d.destination, d.case_id, d.seq desc`;
// A process that was down reports what happened within the last hour. Two processes derive the same key. The message
// has the verdict in force, and its receiver gets the end of the alert.
const ADD_FLAPPING = `
  ${insertInto('outbound_deliveries', {
    id: 'gen_random_uuid()',
    destination: 'd.destination',
    kind: "'flapping'",
    key: 'd.key',
    case_id: 'd.case_id',
    run_id: 'd.run_id',
    created_at: at('$2'),
    state: `case when w."silenceId" is null then 'pending' else 'withheld' end`,
    next_at: `case when w."silenceId" is null then ${at('$2')} end`,
    ended_at: `case when w."silenceId" is not null then ${at('$2')} end`,
    open_until: `case when d.destination = any($3) then ${at('$4')} end`,
    event: `json_build_object('verdictId', d.verdict_id)`,
    silence_id: 'w."silenceId"',
  })} from (${FLAPPING}) d left join json_to_recordset($5) w("runId" uuid, "silenceId" text) on w."runId" = d.run_id
  on conflict do nothing returning id`;
const FLAPPING_RUNS = `select distinct f.run_id from (${FLAPPING}) f`;

const IS_PAGE = `d.case_id = $1 and d.kind in ('verdict', 'review-needed', 'review-overdue') and d.state <> 'withheld'`;
const IS_PAGED = `select from outbound_deliveries d where ${IS_PAGE} limit 1`;
const ACKNOWLEDGED = `
  update outbound_deliveries d set acknowledged_at = ${at('$2')}, acknowledged_by = $3
  where ${IS_PAGE} and d.acknowledged_at is null returning d.id, d.run_id`;
const SENT = `
  select distinct on (d.destination) d.id, d.destination, d.case_id, d.run_id from outbound_deliveries d
  where ${IS_PAGE} and d.destination = any($2) order by d.destination, d.seq desc`;
const ACKNOWLEDGE = `
  ${insertInto('outbound_deliveries', {
    id: 'gen_random_uuid()',
    destination: 's.destination',
    kind: "'acknowledged'",
    key: "'acknowledged ' || s.id::text",
    case_id: 's.case_id',
    run_id: 's.run_id',
    created_at: at('$3'),
    next_at: at('$3'),
  })} from (${SENT}) s on conflict (destination, key) do nothing returning destination`;

const STATES = `
  select n.name, d.paused_at, d.paused_by, d.paused_why, d.failing_since, d.last_failure_at, d.last_problem, d.last_success_at,
    (select count(*)::int from outbound_deliveries o where o.destination = n.name and o.next_at is not null) as pending,
    (select count(*)::int from outbound_deliveries o where o.destination = n.name and o.state = 'exhausted') as exhausted
  from unnest($1::text[]) n(name) left join destinations d on d.name = n.name order by n.name`;
const stateOf = recordOf<DestinationState>()([
  'name',
  'pausedAt',
  'pausedBy',
  'pausedWhy',
  'failingSince',
  'lastFailureAt',
  'lastProblem',
  'lastSuccessAt',
  'pending',
  'exhausted',
]);

const NOTED = `insert into events (type, data) values ($1, $2::json)`;

const THREAD = 'select thread from destination_threads where destination = $1 and case_id = $2';
const KEEP_THREAD =
  'insert into destination_threads (destination, case_id, thread) values ($1, $2, $3) on conflict do nothing';
const ALERT = `
  select a.rest -> 'payload' -> 'labels' as own, a.rest -> 'payload' -> 'alert' -> 'labels' as sent, a.rest -> 'labels' as labels
  from runs r join alerts a on a.id = r.alert_id where r.id = $1`;

/**
 * Acknowledges the pages of a case in the caller's transaction, and writes deliveries to the pagers that got one.
 * @returns whether this changed anything.
 */
export async function acknowledgePages(
  tx: Queryable,
  { caseId, pagers, by }: { caseId: string; pagers: readonly string[]; by: string },
  now: number,
): Promise<boolean> {
  const pages = await tx.rows(ACKNOWLEDGED, [caseId, now, toStored(by)]);
  const added = await tx.rows(ACKNOWLEDGE, [caseId, pagers, now]);
  return pages.length + added.length > 0;
}

/** Messages to destinations, in Postgres. */
export function postgresDestinations(database: Database): Omit<Destinations, 'added' | 'put' | 'remove'> {
  const note = (on: Queryable, what: string, data: object) =>
    on.rows(NOTED, [`operator.${what}`, storableJson(data)]);
  return {
    ...conditionNotices(database),
    ...escalations(database),
    ...cancelledDeliveries(database),
    ...resends(database, note),
    add: (deliveries, now) => addDeliveries(database, deliveries, now),
    addUnlessSilent: (deliveries, now) => addUnlessSilent(database, deliveries, now),
    take: async (destination, now, until, limit) => {
      const rows = await database.rows<{ seq: string }>(TAKE, [destination, now, until, limit]);
      return rows.sort((a, b) => Number(BigInt(a.seq) - BigInt(b.seq))).map(takenOf);
    },
    settle: (end, now, limits) => settle(database, end, now, limits),
    addResolved: async (destinations, now) => (await database.rows(ADD_RESOLVED, [destinations, now])).length,
    addFlapping: async ({ destinations, resolving, openUntil, silenced }, now) => {
      if (destinations.length === 0) return 0;
      const params = [destinations, now, resolving, openUntil, storableJson(silenced)];
      return (await database.rows(ADD_FLAPPING, params)).length;
    },
    flappingRuns: async (destinations, now) =>
      (await database.rows<{ run_id: string }>(FLAPPING_RUNS, [destinations, now])).map((row) => row.run_id),
    acknowledge: (caseId, pagers, by, now) =>
      database.transaction(async (tx) => {
        if (!isUuid(caseId)) return null;
        if ((await tx.rows(IS_PAGED, [caseId])).length === 0) return null;
        const sent = await tx.rows<{ destination: string }>(SENT, [caseId, pagers]);
        const isNew = await acknowledgePages(tx, { caseId, pagers, by }, now);
        if (isNew) await note(tx, 'acknowledged-page', toStored({ caseId, by }));
        return sent.map(({ destination }) => destination);
      }),
    thread: async (destination, caseId) =>
      (await database.rows<{ thread: string }>(THREAD, [destination, caseId]))[0]?.thread ?? null,
    keepThread: async (...row) => void (await database.rows(KEEP_THREAD, toStored(row))),
    labels: async (runId) => {
      const [row] = await database.rows<object>(ALERT, [runId]);
      return row === undefined ? {} : Object.assign({}, ...Object.values(row).map(textsIn));
    },
    states: async (names) => (await database.rows(STATES, [names])).map(stateOf),
    list: (query) => deliveryList(database, query),
    pause: (name, by, reason, now) =>
      database.transaction(async (tx) => {
        await tx.rows(PAUSE, toStored([name, now, by, reason]));
        await note(tx, 'paused-destination', { destination: name, by, reason });
      }),
    resume: (name, by, reason, now) =>
      database.transaction(async (tx) => {
        await tx.rows(RESUME, [name, now]);
        await note(tx, 'resumed-destination', { destination: name, by, reason });
      }),
  };
}

async function settle(
  on: Queryable,
  { deliveryId, destination, attempt, message, nextAt, pauseWhy, countsAsFailure }: AttemptEnd,
  now: number,
  { forMs, deliveries }: PauseLimits,
): Promise<string | null> {
  const { status, latencyMs, problem, response } = attempt;
  const state = problem === null ? 'delivered' : nextAt === null ? 'exhausted' : 'pending';
  const noted = [deliveryId, attempt.at, status, latencyMs, toStored(problem), toStored(response)];
  const ended = [...noted, toStored(message), now, state, problem === null ? null : nextAt];
  const params = [...ended, destination];
  if (problem === null) {
    await on.rows(SUCCEEDED, params);
    return null;
  }
  if (!countsAsFailure) {
    await on.rows(NOT_COUNTED, ended);
    return null;
  }
  const pause = async (why: string) =>
    (await on.rows(PAUSE, [destination, now, 'casefile', why])).length > 0 ? why : null;
  // Paused before the delivery is due again, so that no poll takes it in between.
  const paused = pauseWhy === null ? null : await pause(pauseWhy);
  const [row] = await on.rows<{ late: boolean; counted_since: Date }>(FAILED, [...params, forMs]);
  if (pauseWhy !== null || row?.late !== true) return paused;
  const why = await whyFailing(on, destination, row.counted_since, deliveries);
  return why === null ? null : pause(why);
}

async function whyFailing(
  tx: Queryable,
  destination: string,
  since: Date,
  least: number,
): Promise<string | null> {
  const [row] = await tx.rows<{ n: number }>(COUNT_FAILED, [destination, since]);
  const failed = row?.n ?? 0;
  if (failed < least) return null;
  return `All ${failed} deliveries since ${since.toISOString()} failed.`;
}

function textsIn(value: unknown): Record<string, string> {
  if (!isObject(value)) return {};
  const texts = Object.entries(value).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}
