import type { EngagementSession, EngagementSessions, Json } from '@casefile/contracts';
import type { Queryable } from './database.js';
import { isUuid } from './row-set.js';

/** What a commit writes of the sessions that its verdicts open; `i` names the request. */
export const SESSION_COLUMNS =
  'i int, stage text, action text, category text, confidence float8, "redFlags" json';

export const openedSessions = (source: string): string => `
  session as (
    insert into engagement_sessions (id, case_id, stage, action, category, confidence, red_flags)
    select m.run_id, m.case_id, s.stage, s.action, s.category, s.confidence, s."redFlags"
    from ${source} join moved m on m.i = s.i)`;

interface SessionRow {
  id: string;
  case_id: string;
  stage: string;
  action: string;
  category: string | null;
  confidence: number;
  red_flags: Json;
  created_at: Date;
}

export function postgresEngagementSessions(database: Queryable): EngagementSessions {
  return {
    engagementSession: async (id) => {
      if (!isUuid(id)) return null;
      const [row] = await database.rows<SessionRow>('select * from engagement_sessions where id = $1', [id]);
      return row === undefined ? null : sessionOf(row);
    },
  };
}

function sessionOf(row: SessionRow): EngagementSession {
  const { id, stage, action, category, confidence } = row;
  const createdAt = row.created_at.toISOString();
  return { id, caseId: row.case_id, stage, action, category, confidence, redFlags: row.red_flags, createdAt };
}
