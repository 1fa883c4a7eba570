import type { SearchWords } from '@casefile/contracts';
import type { Database, Queryable, Transaction } from '../database.js';
import { iso } from '../rows.js';

const READER = 'search_words';
const BEGIN = `insert into event_readers (name, xid, event_id) values ('${READER}', 0, 0) on conflict do nothing`;

/** Condition of events that report a new text. */
const IS_TEXT = `(type = 'alert.accepted' or (type = 'stage.completed' and data ->> 'artifact' = 'report'))`;

// As for the figures of verdicts, reading ends before the oldest open transaction.
const NEXT = `
  with place as materialized (select xid, event_id from event_readers where name = '${READER}' for update),
  page as materialized (
    select xid, id, type, case_id, run_id, data from events
    where (xid, id) > ((select xid from place), (select event_id from place))
      and xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
    order by xid, id limit $1)
  select exists (select from place) as "isKnown", (select count(*)::int from page) as read,
    (select xid::text from page order by xid desc, id desc limit 1) as xid,
    (select id::text from page order by xid desc, id desc limit 1) as "eventId",
    (select coalesce(array_agg(distinct case_id), '{}') from page where ${IS_TEXT}) as "caseIds",
    (select coalesce(json_agg(json_build_object('case_id', case_id, 'alert_id', data ->> 'alertId'))
        filter (where type = 'alert.accepted' and data ->> 'alertId' <> ''), '[]') from page) as alerts,
    (select coalesce(json_agg(json_build_object('run_id', run_id, 'unit', data ->> 'unit', 'round', data ->> 'round')), '[]')
      from page where type <> 'alert.accepted' and ${IS_TEXT}) as reports`;

// An event without its alert was erased. An erasure locks its cases for update and removes their words. This lock waits for it, and the statements after the
// lock read what the erasure left. An erasure that begins later waits, and removes what was written.
const LOCK = 'select from cases where id = any($1::uuid[]) order by id for key share';
const ADD_ALERTS = `
  insert into case_words (case_id, created_at, words, dataset)
  select c.id, c.created_at, words_of(s.shown), c.dataset
  from json_to_recordset($1::json) as t (case_id uuid, alert_id uuid)
    join alerts a on a.id = t.alert_id and a.case_id = t.case_id join cases c on c.id = a.case_id
    cross join lateral (select shown_of(a.text, c.text, a.rest) as shown) s
  where s.shown <> ''`;
// A case is not found by the words of a shadow run.
const ADD_REPORTS = `
  insert into case_words (case_id, created_at, words, dataset)
  select c.id, c.created_at, words_of(f.body ->> 'markdown'), c.dataset
  from json_to_recordset($1::json) as t (run_id uuid, unit text, round int)
    join artifacts f on f.run_id = t.run_id and f.unit = t.unit and f.artifact = 'report' and f.round = t.round
    join runs r on r.id = f.run_id join cases c on c.id = r.case_id
  where r.lane <> 'shadow' and f.body ->> 'markdown' <> ''`;
const MOVE = `update event_readers set xid = $1::bigint, event_id = $2::bigint where name = '${READER}'`;

/** Events of texts without words. */
export const UNSEARCHED = `events
  where (xid, id) > (
      coalesce((select xid from event_readers where name = '${READER}'), 0),
      coalesce((select event_id from event_readers where name = '${READER}'), 0))
    and ${IS_TEXT}`;
// The time of the first one.
const SEARCHABLE_TO = `select at from ${UNSEARCHED} order by xid, id limit 1`;

interface NextTexts {
  isKnown: boolean;
  read: number;
  /** Place of the last event that was read; null: none was. */
  xid: string | null;
  eventId: string | null;
  caseIds: string[];
  alerts: object[];
  reports: object[];
}

/** The words by which cases are found, in Postgres. */
export function postgresSearchWords(database: Database): SearchWords {
  return {
    note: async (limit) => {
      const read = await database.transaction((tx) => addNext(tx, limit));
      if (read !== null) return read;
      await database.rows(BEGIN, []);
      return (await database.transaction((tx) => addNext(tx, limit))) ?? 0;
    },
  };
}

/** Returns the number of events read; null: the place of the reader has no row yet. */
async function addNext(tx: Transaction, limit: number): Promise<number | null> {
  const [next] = await tx.rows<NextTexts>(NEXT, [limit]);
  if (next?.isKnown !== true) return null;
  const { read, xid, eventId, caseIds, alerts, reports } = next;
  if (caseIds.length > 0) {
    await tx.rows(LOCK, [caseIds]);
    if (alerts.length > 0) await tx.rows(ADD_ALERTS, [JSON.stringify(alerts)]);
    if (reports.length > 0) await tx.rows(ADD_REPORTS, [JSON.stringify(reports)]);
  }
  if (xid !== null) tx.lastly({ text: MOVE, params: [xid, eventId] });
  return read;
}

/** Returns the time of the first text that a search does not find yet, ISO 8601; null: it finds all. */
export async function searchableTo(database: Queryable): Promise<string | null> {
  const [first] = await database.rows<{ at: Date }>(SEARCHABLE_TO, []);
  return first === undefined ? null : iso(first.at);
}
