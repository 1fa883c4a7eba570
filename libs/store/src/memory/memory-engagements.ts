import {
  SESSION_HISTORY,
  sessionOfRows,
  type EngagementDetails,
  type EngagementSessions,
  type SessionRow,
} from '@casefile/contracts';
import { cursorOf, placeOfCursor } from '../plan/cursor.js';
import type { MemoryState } from './memory-state.js';

/** Engagement sessions of what the commits have written. S3-45, S3-46. */
export function memoryEngagements(state: MemoryState): EngagementSessions {
  const { sessions } = state;
  const of = (id: string) => sessions.filter(({ sessionId }) => sessionId === id).toReversed();
  const one = (id: string): EngagementDetails | null => {
    const rows = of(id);
    return rows.length === 0 ? null : detailsOf(rows);
  };
  return {
    engagementSession: async (id) => one(id),
    findEngagements: async ({ state, conversation, cursor, limit }) => {
      const after = cursor === undefined ? null : placeOfCursor(cursor);
      const newest = sessions.toReversed().filter((row, i, all) => all.findIndex(isOf(row.sessionId)) === i);
      const from = after === null ? 0 : newest.findIndex(({ runId }) => runId === after.id) + 1;
      const found = newest
        .slice(from)
        .filter((row) => state === undefined || (row.closedAt === null) === (state === 'open'))
        .filter((row) => conversation === undefined || row.conversation === conversation);
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return {
        engagements: page.map(({ sessionId }) => {
          const { history: _, ...session } = detailsOf(of(sessionId));
          return session;
        }),
        nextCursor:
          found.length > limit && last !== undefined
            ? cursorOf({ createdAt: String(Date.parse(last.at) * 1000), id: last.runId })
            : null,
      };
    },
    closeEngagement: async (id) => {
      for (const row of of(id)) row.closedAt ??= state.iso();
      return one(id);
    },
  };
}

const isOf = (id: string) => (row: SessionRow) => row.sessionId === id;

function detailsOf(rows: SessionRow[]): EngagementDetails {
  return sessionOfRows(rows.slice(0, SESSION_HISTORY), rows.length, rows.at(-1)!.at);
}
