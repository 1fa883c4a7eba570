import {
  SESSION_HISTORY,
  sessionOfRows,
  type EngagementDetails,
  type EngagementList,
  type EngagementQuery,
  type EngagementSessions,
  type SessionRow,
} from '@casefile/contracts';
import { cursorOf, placeOfCursor } from './cursor.js';
import type { Queryable } from '../database.js';
import { isUuid } from '../row-set.js';
import { iso, recordOf } from '../rows.js';

/** What a commit writes of the sessions that its verdicts open or continue; `i` names the request. */
export const SESSION_COLUMNS = `i int, "sessionId" uuid, conversation text, stage text, action text, category text,
  confidence float8, "redFlags" json`;

// Each message is a row of its own, so that messages of one conversation wait for no lock of each other's.
export const openedSessions = (source: string): string => `
  session as (
    insert into engagement_sessions (id, session_id, conversation, case_id, stage, action, category, confidence, red_flags)
    select m.run_id, s."sessionId", s.conversation, m.case_id, s.stage, s.action, s.category, s.confidence, s."redFlags"
    from ${source} join moved m on m.i = s.i)`;

interface Counted {
  id: string;
  messages: string;
  first_at: Date;
  micros: string;
}

const messageOf = recordOf<SessionRow>()([
  'sessionId',
  'conversation',
  'runId',
  'caseId',
  'stage',
  'action',
  'category',
  'confidence',
  'redFlags',
  'at',
  'closedAt',
]);

const OF_SESSION = '(s.session_id = $1 or (s.session_id is null and s.id = $1))';
/** How many messages a session has, and when its first came. */
const WITH_COUNT = `coalesce(s.session_id, s.id) as session_id, s.conversation, s.id, s.id as run_id, s.case_id, s.stage,
  s.action, s.category, s.confidence, s.red_flags, s.created_at as at, s.closed_at,
  coalesce(o.n, 1) as messages, coalesce(o.first_at, s.created_at) as first_at,
  (extract(epoch from s.created_at) * 1000000)::bigint::text as micros`;
const COUNTED = `left join lateral (select count(*) as n, min(created_at) as first_at from engagement_sessions a
  where a.session_id = s.session_id having count(*) > 0) o on true`;

/** Engagement sessions: a session is what its rows come to, the newest of which says how it stands. S3-45, S3-46. */
export function postgresEngagementSessions(database: Queryable): EngagementSessions {
  const one = async (id: string): Promise<EngagementDetails | null> => {
    if (!isUuid(id)) return null;
    const rows = await database.rows<Counted>(
      `select ${WITH_COUNT} from engagement_sessions s ${COUNTED} where ${OF_SESSION}
       order by s.created_at desc, s.id desc limit ${SESSION_HISTORY}`,
      [id],
    );
    return rows.length === 0 ? null : detailsOf(rows);
  };
  return {
    get: one,
    find: (query) => find(database, query),
    close: async (id) => {
      if (!isUuid(id)) return null;
      await database.rows(
        `update engagement_sessions s set closed_at = now() where ${OF_SESSION} and s.closed_at is null`,
        [id],
      );
      return one(id);
    },
  };
}

async function find(
  database: Queryable,
  { state, conversation, cursor, limit }: EngagementQuery,
): Promise<EngagementList> {
  const after = cursor === undefined ? null : placeOfCursor(cursor);
  const rows = await database.rows<Counted>(
    `select ${WITH_COUNT} from engagement_sessions s ${COUNTED}
     where not exists (select 1 from engagement_sessions n
         where n.session_id = s.session_id and (n.created_at, n.id) > (s.created_at, s.id))
       and ($1::text is null or (s.closed_at is null) = ($1 = 'open'))
       and ($2::text is null or s.conversation = $2)
       and ($3::bigint is null
         or (s.created_at, s.id) < (to_timestamp(0) + $3::bigint * interval '1 microsecond', $4::uuid))
     order by s.created_at desc, s.id desc limit $5`,
    [state ?? null, conversation ?? null, after?.createdAt ?? null, after?.id ?? null, limit + 1],
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    engagements: page.map((row) => withoutHistory(detailsOf([row]))),
    nextCursor: more ? cursorOf({ createdAt: last.micros, id: last.id }) : null,
  };
}

function detailsOf(rows: readonly Counted[]): EngagementDetails {
  const { messages, first_at: first } = rows[0]!;
  return sessionOfRows(rows.map(messageOf), Number(messages), iso(first));
}

function withoutHistory({ history: _, ...session }: EngagementDetails): Omit<EngagementDetails, 'history'> {
  return session;
}
