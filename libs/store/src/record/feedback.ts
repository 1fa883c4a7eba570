import {
  CasefileError,
  feedbackSchema,
  MOST_FEEDBACK,
  storableJson,
  toStored,
  type CaseReference,
  type Feedback,
  type FeedbackBook,
  type LabelChanges,
} from '@casefile/contracts';
import type { Database, Queryable } from '../database.js';
import { isUuid } from '../row-set.js';
import { recordBySchema } from '../rows.js';
import { atUs, pageOf, placeOfCursor, timeOfPlace } from './cursor.js';

const feedbackOf = recordBySchema('feedback', feedbackSchema);

// Locks the case, so that concurrent writers of its labels wait and the counts are exact.
const LOCK = 'select id from cases where id = $1 for no key update';
// Events are counted instead of rows, because a replaced label leaves no row.
const COUNTS = `
  select count(*) filter (where not (run_id = $3 and "by" = $4))::int as total, coalesce(bool_or(id = $2), false) as known,
    (select count(*)::int from events e join runs r on r.id = e.run_id
     where r.case_id = $1 and e.type = 'feedback.given' and e.at > now() - interval '1 minute') as recent
  from feedback where case_id = $1`;

const labelFields = (of: string) =>
  `'id', ${of}.id, 'agrees', ${of}.agrees, 'outcome', ${of}.outcome, 'by', ${of}."by", 'note', ${of}.note, 'at', ${of}.at`;

const GIVE = `
  with replaced as (delete from feedback where run_id = $3 and "by" = $6 returning id, at),
  given as (
    insert into feedback (id, case_id, run_id, agrees, outcome, "by", note, at)
    values ($1, $2, $3, $4, $5::json, $6, $7, $8) on conflict (id) do nothing returning *)
  insert into events (type, case_id, run_id, data)
  select 'feedback.given', case_id, run_id, json_build_object(${labelFields('given')},
    'replaces', (select id from replaced order by at desc, id desc limit 1)) from given`;

/** Removes the label $2 of the case $1, with all of the same person for the same run. */
export const WITHDRAW = `
  with gone as (
    delete from feedback d using feedback f
    where f.case_id = $1 and f.id = $2 and d.case_id = $1 and d.run_id = f.run_id and d."by" = f."by" returning d.*),
  told as (
    insert into events (type, case_id, run_id, data)
    select 'feedback.withdrawn', case_id, run_id, json_build_object(${labelFields('gone')}) from gone)
  select * from gone where id = $2`;

// Rows of earlier releases may contain several labels of one person for one run. The newest one counts.
const FIND = `
  select c.id is not null as is_known, f.*, ${atUs('f.at')}
  from (select id from cases where id = $1) c left join lateral (
    select * from feedback g where g.case_id = c.id
      and ($3::text is null or (g.at, g.id) < (${timeOfPlace('$3')}, $4::uuid))
      and not exists (select from feedback n where n.case_id = c.id and n.run_id = g.run_id and n."by" = g."by"
        and (n.at, n.id) > (g.at, g.id))
    order by g.at desc, g.id desc limit $2) f on true
  order by f.at desc, f.id desc`;

const BY_KEY = 'select case_id from idempotency_keys where key = $1 and case_id is not null';
const BY_DELIVERY = `
  select r.case_id from deliveries d join runs r on r.id = d.run_id where d.id = $1
  union all select case_id from corrected_verdicts where id = $1 limit 1`;
const BY_ID = 'select id as case_id from cases where id = $1';

async function findCase(database: Database, reference: CaseReference): Promise<string | null> {
  const { caseId, idempotencyKey, deliveryId } = reference;
  if (caseId !== undefined && !isUuid(caseId)) return null;
  const [text, name] =
    caseId !== undefined
      ? [BY_ID, caseId]
      : idempotencyKey !== undefined
        ? [BY_KEY, idempotencyKey]
        : [BY_DELIVERY, deliveryId];
  const [row] = await database.rows<{ case_id: string }>(text, toStored([name]));
  return row?.case_id ?? null;
}

const READER = 'lessons';
// As for the figures of verdicts, reading ends before the oldest open transaction.
const CHANGES = `
  with place as (
    select coalesce(max(xid), 0) as xid, coalesce(max(event_id), 0) as event_id from event_readers where name = '${READER}'),
  page as materialized (
    select xid, id, type, case_id from events
    where (xid, id) > ((select xid from place), (select event_id from place))
      and xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
    order by xid, id limit $1)
  select count(*)::int as read,
    (select json_build_object('xid', xid::text, 'eventId', id::text) from page order by xid desc, id desc limit 1) as place,
    coalesce(json_agg(distinct case_id) filter (where type in ('feedback.given', 'feedback.withdrawn', 'review.undone')), '[]')
      as "caseIds"
  from page`;
const READ_CHANGES = `
  insert into event_readers (name, xid, event_id) values ('${READER}', $1::bigint, $2::bigint)
  on conflict (name) do update set xid = excluded.xid, event_id = excluded.event_id`;

/** Labels in Postgres. */
export function postgresFeedback(database: Database): FeedbackBook {
  return {
    give: (feedback) => database.transaction((tx) => giveFeedback(tx, feedback)),
    changes: async (limit) => {
      const [changes] = await database.rows<LabelChanges>(CHANGES, [limit]);
      return changes ?? { read: 0, place: null, caseIds: [] };
    },
    readChanges: async ({ xid, eventId }) => void (await database.rows(READ_CHANGES, [xid, eventId])),
    caseOf: (reference) => findCase(database, reference),
    withdraw: async (caseId, id) => {
      if (!isUuid(caseId) || !isUuid(id)) return null;
      const [gone] = await database.rows(WITHDRAW, [caseId, id]);
      return gone === undefined ? null : feedbackOf(gone);
    },
    find: async ({ caseId, cursor, limit }) => {
      if (!isUuid(caseId)) return null;
      const place = cursor === undefined ? undefined : placeOfCursor(cursor);
      const params = [caseId, limit + 1, place?.createdAt ?? null, place?.id ?? null];
      const rows = await database.rows<{ id: string | null; at_us: string }>(FIND, params);
      if (rows.length === 0) return null;
      const labels = rows.filter((row): row is { id: string; at_us: string } => row.id !== null);
      const { page, nextCursor } = pageOf(labels, limit);
      return { feedback: page.map(feedbackOf), nextCursor };
    },
  };
}

/**
 * Records a label in the transaction of an act.
 * @throws CasefileError `too_many` if the case has reached `MOST_FEEDBACK`.
 */
export async function giveFeedback(tx: Queryable, feedback: Feedback): Promise<void> {
  const { id, caseId, runId, agrees, outcome, by, note, at } = feedback;
  await tx.rows(LOCK, [caseId]);
  const [counts] = await tx.rows<{ total: number; recent: number; known: boolean }>(COUNTS, [
    caseId,
    id,
    runId,
    by,
  ]);
  if (counts?.known === true) return;
  const { perCase, perMinute } = MOST_FEEDBACK;
  if ((counts?.total ?? 0) >= perCase)
    throw new CasefileError('too_many', `The case has ${perCase} labels and takes no more.`);
  if ((counts?.recent ?? 0) >= perMinute)
    throw new CasefileError('too_many', `A case takes at most ${perMinute} labels a minute.`, {
      retryAfterMs: 60_000,
    });
  await tx.rows(GIVE, [id, caseId, runId, agrees, storableJson(outcome), by, note, at]);
}
