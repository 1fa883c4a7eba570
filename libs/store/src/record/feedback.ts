import {
  CasefileError,
  feedbackSchema,
  MOST_FEEDBACK,
  storableJson,
  type Feedback,
  type FeedbackBook,
} from '@casefile/contracts';
import type { Database, Queryable } from '../database.js';
import { isUuid } from '../row-set.js';
import { recordBySchema } from '../rows.js';
import { atUs, pageOf, placeOfCursor, timeOfPlace } from './cursor.js';

const feedbackOf = recordBySchema(feedbackSchema);

// Those who speak of the same case wait for each other, so that the counts hold.
const LOCK = 'select id from cases where id = $1 for no key update';
const COUNTS = `
  select count(*)::int as total, count(*) filter (where created_at > now() - interval '1 minute')::int as recent,
    coalesce(bool_or(id = $2), false) as known
  from feedback where case_id = $1`;

const GIVE = `
  with given as (
    insert into feedback (id, case_id, run_id, agrees, outcome, "by", note, at)
    values ($1, $2, $3, $4, $5::json, $6, $7, $8) on conflict (id) do nothing returning *)
  insert into events (type, case_id, run_id, data)
  select 'feedback.given', case_id, run_id, json_build_object('agrees', agrees, 'outcome', outcome, 'by', "by") from given`;

const FIND = `
  select c.id is not null as is_known, f.*, ${atUs('f.at')}
  from (select id from cases where id = $1) c left join lateral (
    select * from feedback where case_id = c.id
      and ($3::text is null or (at, id) < (${timeOfPlace('$3')}, $4::uuid))
    order by at desc, id desc limit $2) f on true
  order by f.at desc, f.id desc`;

/** What people say of verdicts, in Postgres. */
export function postgresFeedback(database: Database): FeedbackBook {
  return {
    give: (feedback) => database.transaction((tx) => give(tx, feedback)),
    find: async ({ caseId, cursor, limit }) => {
      if (!isUuid(caseId)) return null;
      const place = cursor === undefined ? undefined : placeOfCursor(cursor);
      const params = [caseId, limit + 1, place?.createdAt ?? null, place?.id ?? null];
      const rows = await database.rows<{ id: string | null; at_us: string }>(FIND, params);
      if (rows.length === 0) return null;
      const given = rows.filter((row): row is { id: string; at_us: string } => row.id !== null);
      const { page, nextCursor } = pageOf(given, limit);
      return { feedback: page.map(feedbackOf), nextCursor };
    },
  };
}

async function give(tx: Queryable, feedback: Feedback): Promise<void> {
  const { id, caseId, runId, agrees, outcome, by, note, at } = feedback;
  await tx.rows(LOCK, [caseId]);
  const [counts] = await tx.rows<{ total: number; recent: number; known: boolean }>(COUNTS, [caseId, id]);
  if (counts?.known === true) return;
  const { perCase, perMinute } = MOST_FEEDBACK;
  if ((counts?.total ?? 0) >= perCase)
    throw new CasefileError('too_many', `The case has ${perCase} entries of feedback: it takes no more.`);
  if ((counts?.recent ?? 0) >= perMinute)
    throw new CasefileError('too_many', `A case takes at most ${perMinute} entries of feedback a minute.`, {
      retryAfterMs: 60_000,
    });
  await tx.rows(GIVE, [id, caseId, runId, agrees, storableJson(outcome), by, note, at]);
}
