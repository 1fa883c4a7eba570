import {
  toStored,
  type OverdueReview,
  type ReviewItem,
  type ReviewPage,
  type ReviewQuery,
  type ReviewReason,
  type Reviews,
} from '@casefile/contracts';
import type { Database } from '../database.js';
import { recordOf } from '../rows.js';
import { atUs, instantOf, lastInstantOf, pageOf, placeOfCursor, timeOfPlace } from './cursor.js';
import { hasWords, Params, wordsOf } from './list-cases.js';
import { searchableTo } from './search-words.js';

/** SQL for a time from a parameter in milliseconds since the epoch. */
export const timeAt = (parameter: string): string => `to_timestamp(${parameter}::float8 / 1000)`;

/** Columns of a review. `v`: its row, if the case was acted on. */
export const REVIEW_COLUMNS = `
  r.id as run_id, c.id as case_id, c.playbook, c.text, c.alert_count, r.decided_at as since,
  v.assignee, v.snoozed_until`;

/** Reads a row of `REVIEW_COLUMNS` with `state` and `verdict`. */
export const reviewItem = recordOf<ReviewItem>()([
  'caseId',
  'runId',
  'playbook',
  'text',
  'alertCount',
  'since',
  'state',
  'assignee',
  'snoozedUntil',
  'verdict',
]);

/**
 * Verdicts that wait for review: those of the run that their case shows. A partial index of `runs` has them
 * in order. It also contains a few verdicts that a newer run of the case has replaced.
 */
const WAITING = `
  from runs r join cases c on c.id = r.case_id and c.leading_run_id = r.id and c.dataset is null
    left join reviews v on v.case_id = c.id
  where r.disposition = 'review' and r.reviewed_at is null and r.lane in ('live', 'batch')`;
const SETTLED = `
  from reviews v join cases c on c.id = v.case_id and c.leading_run_id = v.run_id join runs r on r.id = v.run_id
  where true`;

const SAMPLED = `
  from review_samples s join runs r on r.id = s.run_id
    join cases c on c.id = r.case_id and c.leading_run_id = r.id
    left join reviews v on v.case_id = c.id and v.run_id = r.id
  where coalesce(v.state, 'open') = 'open'`;

const REASONS: Record<ReviewReason, string> = {
  degraded: 'r.degraded',
  rules: "not coalesce(r.degraded, false) and c.method = 'heuristic'",
  unsure: "not coalesce(r.degraded, false) and c.method is distinct from 'heuristic'",
};

/** Tables to read for each state, with the columns that sort them. Default: settled verdicts. */
const SOURCES: Partial<Record<ReviewQuery['state'], readonly [from: string, time: string, id: string]>> = {
  open: [WAITING, 'r.decided_at', 'r.id'],
  snoozed: [WAITING, 'r.decided_at', 'r.id'],
  sampled: [SAMPLED, 's.decided_at', 's.run_id'],
};

/** Returns a page of the review desk. @throws InvalidInput for a wrong cursor or time. */
export async function listReviews(database: Database, query: ReviewQuery): Promise<ReviewPage> {
  const to = hasWords(query) ? await searchableTo(database) : null;
  const { text, params } = reviewsStatement(toStored(query));
  const rows = await database.rows<{ id: string; at_us: string; snoozed_until: Date | null }>(text, params);
  const { page, nextCursor } = pageOf(rows, query.limit);
  return { reviews: page.map(reviewItem), nextCursor, searchableTo: to };
}

/** Returns the statement for one page. Narrow rows select the page, and only the verdicts on it are read. */
export function reviewsStatement(query: ReviewQuery): { text: string; params: unknown[] } {
  const params = new Params();
  const { state, sort, cursor, limit } = query;
  const [from, time, id] = SOURCES[state] ?? [SETTLED, 'v.changed_at', 'v.case_id'];
  const [beyond, direction] = sort === 'oldest' ? ['>', 'asc'] : ['<', 'desc'];
  const conditions = [...stateIs(query, params), ...factsIn(query, params)];
  if (cursor !== undefined) {
    const place = placeOfCursor(cursor);
    const instant = timeOfPlace(params.add(place.createdAt));
    conditions.push(`(${time}, ${id}) ${beyond} (${instant}, ${params.add(place.id)}::uuid)`);
  }
  const where = conditions.map((condition) => ` and ${condition}`).join('');
  const order = `${time} ${direction}, ${id} ${direction}`;
  const shown = `${params.add(state)}::text as state`;
  const text = `
    with page as materialized (
      select ${REVIEW_COLUMNS}, ${shown}, ${id} as id, ${time} as placed_at, ${atUs(time)}
      ${from}${where} order by ${order} limit ${params.add(limit + 1)})
    select p.*, a.body as verdict
    from page p join lateral (
      select body from artifacts a where a.run_id = p.run_id and a.artifact = 'verdict' limit 1) a on true
    order by p.placed_at ${direction}, p.id ${direction}`;
  return { text, params: params.values };
}

function stateIs({ state, now }: ReviewQuery, params: Params): string[] {
  if (state === 'open') return [`(v.snoozed_until is null or v.snoozed_until <= ${timeAt(params.add(now))})`];
  if (state === 'sampled') return [];
  if (state === 'snoozed') return [`v.snoozed_until > ${timeAt(params.add(now))}`];
  return [`v.state = ${params.add(state)}`];
}

function factsIn(query: ReviewQuery, params: Params): string[] {
  const { playbook, assignee, reason, confidenceBelow, from, to, q } = query;
  const facts: string[] = [];
  if (playbook !== undefined) facts.push(`c.playbook = ${params.add(playbook)}`);
  if (assignee !== undefined) facts.push(`v.assignee = ${params.add(assignee)}`);
  if (reason !== undefined) facts.push(REASONS[reason]);
  if (confidenceBelow !== undefined) facts.push(`r.confidence < ${params.add(confidenceBelow)}::float8`);
  if (from !== undefined) facts.push(`r.decided_at >= ${params.add(instantOf('from', from))}::timestamptz`);
  if (to !== undefined) facts.push(`r.decided_at <= ${params.add(lastInstantOf('to', to))}::timestamptz`);
  if (q !== undefined && q.trim() !== '')
    facts.push(
      `exists (select from case_words w where w.case_id = c.id and w.words @@ ${wordsOf(q, params)})`,
    );
  return facts;
}

const OVERDUE = `
  with waiting as (
    select r.id as run_id, c.id as case_id, c.playbook, r.decided_at as since, v.snoozed_until,
      coalesce($3::json ->> c.playbook, $3::json ->> 'default')::float8 as within_hours
    ${WAITING}),
  overdue as (
    select w.*, date_trunc('milliseconds', greatest(w.since + w.within_hours * interval '1 hour', w.snoozed_until)) as overdue_at
    from waiting w)
  select o.*, a.body as verdict
  from overdue o join lateral (
    select body from artifacts a where a.run_id = o.run_id and a.artifact = 'verdict' limit 1) a on true
  where o.within_hours is not null and o.overdue_at <= ${timeAt('$2')}
    and (o.overdue_at > ${timeAt('$1')} or (o.overdue_at = ${timeAt('$1')} and o.run_id > $5::uuid))
  order by o.overdue_at, o.run_id limit $4`;
const overdueReview = recordOf<OverdueReview>()([
  'caseId',
  'runId',
  'playbook',
  'since',
  'withinHours',
  'overdueAt',
  'verdict',
]);

/** Reads the verdicts that became overdue in a period, by time and run. */
export async function overdueReviews(
  database: Database,
  ...[after, until, withinHours, limit]: Parameters<Reviews['becameOverdue']>
): Promise<OverdueReview[]> {
  const params = [after.at, until, JSON.stringify(withinHours), limit, after.runId];
  const rows = await database.rows(OVERDUE, params);
  return rows.map(overdueReview);
}

/** Counts the verdicts that wait, per kind. */
export const COUNT_WAITING = `
  select c.playbook, count(*)::int as count, min(r.decided_at) as oldest,
    (count(*) filter (where extract(epoch from ${timeAt('$1')} - r.decided_at) / 3600
      > coalesce($2::json ->> c.playbook, $2::json ->> 'default')::float8))::int as overdue
  ${WAITING} and (v.snoozed_until is null or v.snoozed_until <= ${timeAt('$1')})
  group by c.playbook order by c.playbook`;
