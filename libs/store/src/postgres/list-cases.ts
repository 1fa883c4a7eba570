import type {
  CaseQuery,
  CaseStatus,
  CaseSummary,
  JsonObject,
  Lane,
  RunStatus,
  Verdict,
} from '@casefile/contracts';
import { cursorOf, instantOf, placeOfCursor } from '../plan/cursor.js';
import { progressOf } from '../plan/progress.js';
import { stored } from '../storable.js';
import type { Database } from './database.js';
import { iso, isoOrNull } from './rows.js';

interface CaseRow {
  id: string;
  playbook: string;
  status: CaseStatus;
  alert_count: number;
  text: string;
  created_at: Date;
  created_us: string;
  updated_at: Date;
  run_id: string | null;
  lane: Lane;
  run_status: RunStatus;
  decided_at: Date | null;
  units: Parameters<typeof progressOf>[1] | null;
  verdict: JsonObject | null;
}

/** Newest first, filtered, a page at a time. */
export async function listCases(
  database: Database,
  query: CaseQuery,
): Promise<{ items: CaseSummary[]; nextCursor: string | null }> {
  const { where, params } = filters(stored(query));
  const rows = await database.rows<CaseRow>(`${SELECT} ${where} ${ORDER} limit $${params.length + 1}`, [
    ...params,
    query.limit + 1,
  ]);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const more = rows.length > query.limit && last !== undefined;
  const nextCursor = more ? cursorOf({ createdAt: last.created_us, id: last.id }) : null;
  return { items: page.map(summaryOf), nextCursor };
}

const ORDER = 'order by c.created_at desc, c.id desc';
const SELECT = `
  select c.id, c.playbook, c.status, c.alert_count, c.text, c.created_at, c.updated_at,
    (extract(epoch from c.created_at) * 1000000)::bigint::text as created_us,
    r.id as run_id, r.lane, r.status as run_status, r.decided_at,
    (select json_agg(json_build_object('unit', u.unit, 'status', u.status, 'stage', u.stage, 'round', u.round) order by u.unit)
      from units u where u.run_id = r.id) as units,
    (select a.body from artifacts a where a.run_id = r.id and a.artifact = 'verdict') as verdict
  from cases c left join runs r on r.id = c.newest_run_id`;

// All words of the question, the last one as a beginning; in the text of an alert or in the report.
const WORDS = `(select case when numnode(q) = 0 then q else (q::text || ':*')::tsquery end
  from plainto_tsquery('simple', $n) q)`;
const FOUND = `c.id in (
  select a.case_id from alerts a where to_tsvector('simple'::regconfig, left(a.text, 50000)) @@ ${WORDS}
  union
  select r2.case_id from artifacts f join runs r2 on r2.id = f.run_id
  where f.artifact = 'report' and to_tsvector('simple'::regconfig, left(f.body ->> 'markdown', 50000)) @@ ${WORDS})`;

function filters(query: CaseQuery): { where: string; params: unknown[] } {
  const conditions: string[] = [];
  const params: unknown[] = [];
  const add = (condition: string, value: unknown): void => {
    params.push(value);
    conditions.push(condition.replaceAll('$n', `$${params.length}`));
  };
  const { status, playbook, action, lane, q, from, to, cursor } = query;
  if (status !== undefined) add('c.status = $n', status);
  if (playbook !== undefined) add('c.playbook = $n', playbook);
  if (action !== undefined) add('c.action = $n', action);
  if (lane !== undefined) add('c.lane = $n', lane);
  if (q !== undefined && q.trim() !== '') add(FOUND, q);
  if (from !== undefined) add('c.created_at >= $n::timestamptz', instantOf('from', from));
  if (to !== undefined) add('c.created_at <= $n::timestamptz', instantOf('to', to));
  if (cursor !== undefined) {
    const place = placeOfCursor(cursor);
    params.push(place.createdAt, place.id);
    const [us, id] = [`$${params.length - 1}`, `$${params.length}`];
    conditions.push(
      `(c.created_at, c.id) < (timestamptz 'epoch' + ${us}::bigint * interval '1 microsecond', ${id}::uuid)`,
    );
  }
  return { where: conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`, params };
}

function summaryOf(row: CaseRow): CaseSummary {
  const { id, playbook, status, text } = row;
  const times = { createdAt: iso(row.created_at), updatedAt: iso(row.updated_at) };
  const summary = { id, playbook, status, alertCount: row.alert_count, ...times, text };
  if (row.run_id === null) return { ...summary, run: null };
  const progress = progressOf(row.run_status, row.units ?? []);
  const verdict = row.verdict as unknown as Verdict | null;
  return {
    ...summary,
    run: { id: row.run_id, lane: row.lane, ...progress, verdict, decidedAt: isoOrNull(row.decided_at) },
  };
}
