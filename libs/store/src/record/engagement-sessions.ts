import {
  SESSION_HISTORY,
  sessionOfRows,
  type EngagementDetails,
  type EngagementSessions,
  type SessionRow,
} from '@casefile/contracts';
import { atUs, pageOf, placeOfCursor, timeOfPlace } from './cursor.js';
import type { Queryable } from '../database.js';
import { tableColumns, copyColumns, insertInto } from '../columns.js';
import { isUuid, rowSet } from '../row-set.js';
import { iso, recordOf } from '../rows.js';

/** Columns of a message that opens or continues a session. */
export const SESSION = tableColumns(
  'engagement_sessions',
  ...(['session_id', 'conversation', 'stage', 'action', 'category', 'confidence', 'red_flags'] as const),
);
/** Messages for sessions that verdicts open or continue. */
export const SESSIONS = rowSet('session_rows', { i: 'int', ...SESSION });

// Each message has a separate row, so that messages of one conversation never wait for each other's locks.
export const OPEN_SESSIONS = `session as (
    ${insertInto('engagement_sessions', {
      id: 'h.run_id',
      case_id: 'h.case_id',
      ...copyColumns(
        's',
        'session_id',
        'conversation',
        'stage',
        'action',
        'category',
        'confidence',
        'red_flags',
      ),
    })}
    from session_rows s join held h on h.i = s.i)`;

interface SessionCount {
  id: string;
  messages: string;
  first_at: Date;
  at_us: string;
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
/** Selects a message with the number of messages of its session, and the time of the first. */
const WITH_COUNT = `coalesce(s.session_id, s.id) as session_id, s.conversation, s.id, s.id as run_id, s.case_id, s.stage,
  s.action, s.category, s.confidence, s.red_flags, s.created_at as at, s.closed_at,
  coalesce(o.n, 1) as messages, coalesce(o.first_at, s.created_at) as first_at, ${atUs('s.created_at')}`;
const COUNTED = `left join lateral (select count(*) as n, min(created_at) as first_at from engagement_sessions a
  where a.session_id = s.session_id having count(*) > 0) o on true`;

const NEWEST_OF_SESSION = `
  select ${WITH_COUNT} from engagement_sessions s ${COUNTED} where ${OF_SESSION}
  order by s.created_at desc, s.id desc limit ${SESSION_HISTORY}`;
const FIND = `
  select ${WITH_COUNT} from engagement_sessions s ${COUNTED}
  where not exists (select 1 from engagement_sessions n
      where n.session_id = s.session_id and (n.created_at, n.id) > (s.created_at, s.id))
    and ($1::text is null or (s.closed_at is null) = ($1 = 'open'))
    and ($2::text is null or s.conversation = $2)
    and ($3::bigint is null or (s.created_at, s.id) < (${timeOfPlace('$3')}, $4::uuid))
  order by s.created_at desc, s.id desc limit $5`;
const CLOSE = `
  with closed as (
    update engagement_sessions s set closed_at = now() where ${OF_SESSION} and s.closed_at is null returning s.id)
  insert into events (type, data) select 'operator.closed-engagement', json_build_object('engagementId', $1::uuid)
  where exists (select from closed)`;

/** Engagement sessions in Postgres. A session consists of its rows; the newest row holds its state. */
export function postgresEngagementSessions(database: Queryable): EngagementSessions {
  const get = async (id: string): Promise<EngagementDetails | null> => {
    if (!isUuid(id)) return null;
    const rows = await database.rows<SessionCount>(NEWEST_OF_SESSION, [id]);
    return rows.length === 0 ? null : rowDetails(rows);
  };
  return {
    get,
    find: async ({ state = null, conversation = null, cursor, limit }) => {
      const after = cursor === undefined ? null : placeOfCursor(cursor);
      const place = [after?.createdAt ?? null, after?.id ?? null];
      const rows = await database.rows<SessionCount>(FIND, [state, conversation, ...place, limit + 1]);
      const { page, nextCursor } = pageOf(rows, limit);
      const engagements = page.map((row) => {
        const { history: _, ...session } = rowDetails([row]);
        return session;
      });
      return { engagements, nextCursor };
    },
    close: async (id) => {
      if (!isUuid(id)) return null;
      await database.rows(CLOSE, [id]);
      return get(id);
    },
  };
}

function rowDetails(rows: readonly SessionCount[]): EngagementDetails {
  const { messages, first_at: first } = rows[0]!;
  return sessionOfRows(rows.map(messageOf), Number(messages), iso(first));
}
