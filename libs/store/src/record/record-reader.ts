import { storableJson, type CaseReader } from '@casefile/contracts';
import type { Database, Queryable } from '../database.js';
import { alertImage, getCase, getRun } from './get-case.js';
import { listCases } from './list-cases.js';
import { placeOfEvent } from './cursor.js';
import { eventOf, isoOrNull, type EventPlace } from '../rows.js';
import { callTimesIn } from './call-times.js';
import { dueUnitsIn, pipelineFiguresIn, roundFiguresIn } from './figures.js';

// Events are ordered by (transaction, sequence). An open transaction may still write events that precede
// existing ones, so readers stop at the oldest open transaction.
const SETTLED = `xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

const EVENTS_AFTER = `
  select xid::text, id::text, type, case_id, run_id, data, at from events
  where ${SETTLED} and (xid, id) > ($1::bigint, $2::bigint) order by events.xid, events.id limit $3`;
const LAST_EVENT = `
  select xid::text, id::text from events where ${SETTLED} order by events.xid desc, events.id desc limit 1`;
const RESOLVED_AT = 'select resolved_at from cases where id = $1';
const IS_EMPTY = 'select not exists (select from cases) as empty';

/** Read access to the record in Postgres. @param reads Where lists and searches are read. */
export function recordReader(database: Database, reads: Queryable): CaseReader {
  return {
    listCases: (query) => listCases(reads, query),
    getCase: (caseId) => getCase(database, caseId),
    getRun: (runId) => getRun(database, runId),
    alertImage: (caseId, alertId) => alertImage(database, caseId, alertId),
    eventsAfter: async (after, limit) => {
      const { xid, id } = after === null ? { xid: '0', id: '0' } : placeOfEvent(after);
      return (await database.rows<EventPlace>(EVENTS_AFTER, [xid, id, limit])).map(eventOf);
    },
    lastEventId: async () => {
      const [row] = await database.rows<EventPlace>(LAST_EVENT);
      return row === undefined ? null : `${row.xid}.${row.id}`;
    },
    resolvedAt: async (caseId) => {
      const [row] = await database.rows<{ resolved_at: Date | null }>(RESOLVED_AT, [caseId]);
      return isoOrNull(row?.resolved_at ?? null);
    },
    noteOperatorAction: async (what, data) => {
      const event = [`operator.${what}`, storableJson(data)];
      await database.rows('insert into events (type, data) values ($1, $2::json)', event);
    },
    noteReading: async (reading) => {
      // The event belongs to no case: pages would read a case again because someone read it.
      const data = storableJson({ ...reading });
      await database.rows(`insert into events (type, data) values ('record.read', $1::json)`, [data]);
    },
    pipelineFigures: pipelineFiguresIn(database),
    callTimes: callTimesIn(database),
    dueUnits: dueUnitsIn(database),
    roundFigures: roundFiguresIn(database),
    isEmpty: async () => (await database.rows<{ empty: boolean }>(IS_EMPTY))[0]?.empty ?? true,
  };
}
