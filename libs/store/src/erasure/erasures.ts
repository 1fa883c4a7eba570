import { createHash, randomUUID } from 'node:crypto';
import {
  toStored,
  type ErasedCaseList,
  type ShownErasure,
  type ShownErasureDetail,
  type Erasures,
  type NewErasure,
  type Queue,
  type CaseErasure,
  type ErasedCase,
  type ErasableClass,
  type RetentionPage,
} from '@casefile/contracts';
import type { Database, Queryable } from '../database.js';
import { isUuid } from '../row-set.js';
import { iso, isoOrNull } from '../rows.js';
import { eraseCase } from './erase-case.js';
import { casesWith, deleteLettersWith, previewErasure } from './erasable.js';
import { atUs, pageOf, placeOfCursor, timeOfPlace } from '../record/cursor.js';

/** Maximum number of blocked cases that a request lists. */
const NAMED = 100;
/** Time until a blocked case is tried again, in seconds. */
const AGAIN_S = 60;

const ADD = `
  insert into erasure_requests (id, subject, classes, "by", reason) values ($1, $2, $3, $4, $5)
  on conflict (id) do nothing returning id`;
// Unknown ids are left out.
const ADD_MEMBERS = `
  insert into erasure_members (request_id, case_id) select $1, c.id from cases c where c.id = any($2::uuid[])
  on conflict do nothing`;
const REPORT = `
  insert into events (type, data) select 'erasure.requested', json_build_object('requestId', $1::uuid, 'classes', $2::text[],
    'by', $3::text, 'reason', $4::text, 'cases', (select count(*) from erasure_members where request_id = $1::uuid))`;
const COLUMNS = `
  select q.id, q.subject, q.classes, q."by", q.reason, q.created_at as at, m.total, m.erased, m.blocked,
    case when m.total = m.erased then coalesce(m.last, q.created_at) end as ended_at
  from erasure_requests q cross join lateral (
    select count(*)::int as total, (count(*) filter (where state = 'erased'))::int as erased,
      (count(*) filter (where state = 'blocked'))::int as blocked, max(at) filter (where state = 'erased') as last
    from erasure_members where request_id = q.id) m`;
const BLOCKED = `
  select case_id as "caseId", why from erasure_members where request_id = $1 and state = 'blocked'
  order by case_id limit ${NAMED}`;
const NEXT = `
  select m.request_id, m.case_id, q.classes, q."by", q.reason from erasure_members m
  join erasure_requests q on q.id = m.request_id
  where m.state <> 'erased' and m.at <= now() order by m.at, m.request_id, m.case_id limit $1`;
// Another process may have done it.
const TAKE = `
  select clock_timestamp() as at from erasure_members
  where request_id = $1 and case_id = $2 and state <> 'erased' for update skip locked`;
const ERASED = `
  update erasure_members set state = 'erased', why = null, at = now() where request_id = $1 and case_id = $2`;
const BLOCK = `
  update erasure_members set state = 'blocked', why = $3, at = now() + interval '${AGAIN_S} s'
  where request_id = $1 and case_id = $2`;

interface RequestRow extends Omit<ShownErasure, 'at' | 'endedAt'> {
  at: Date;
  ended_at: Date | null;
}
interface MemberRow extends Pick<ShownErasure, 'classes' | 'by' | 'reason'> {
  request_id: string;
  case_id: string;
}

/**
 * Erasures in Postgres.
 * @param key Key of the digests that stand in place of content.
 */
export function postgresErasures(database: Database, key: string): Erasures {
  return {
    casesWith: (subject) => casesWith(database, subject),
    preview: (of) => previewErasure(database, of),
    request: (erasure) => request(database, erasure, key),
    get: async (id) => {
      if (!isUuid(id)) return null;
      const [row] = await database.rows<RequestRow>(`${COLUMNS} where q.id = $1`, [id]);
      if (row === undefined) return null;
      return {
        ...requestIn(row),
        blockedCases: await database.rows<ShownErasureDetail['blockedCases'][number]>(BLOCKED, [id]),
      };
    },
    list: async (limit) =>
      (
        await database.rows<RequestRow>(`${COLUMNS} order by q.created_at desc, q.id desc limit $1`, [limit])
      ).map(requestIn),
    ofCase: (caseId) => (isUuid(caseId) ? erasuresOf(database, caseId) : Promise.resolve([])),
    erasedCases: (query) => erasedCases(database, query),
    eraseNext: async (limit, withdraw) => {
      const members = await database.rows<MemberRow>(NEXT, [limit]);
      for (const member of members) await eraseMember(database, member, key, withdraw);
      return members.length;
    },
    requestDue: async (of) => {
      const { due, next } = await dueByRetention(database, of);
      for (const { classes, caseIds } of due)
        await request(
          database,
          { id: randomUUID(), caseIds, classes, by: 'retention', reason: 'retention time', subject: null },
          key,
        );
      return next;
    },
  };
}

async function request(
  database: Database,
  { id, caseIds, classes, by, reason, subject }: NewErasure,
  key: string,
): Promise<void> {
  const digest = subject === null ? null : keyedDigest(key, subject);
  await database.transaction(async (tx) => {
    const added = await tx.rows(ADD, toStored([id, digest, classes, by, reason]));
    if (added.length === 0) return;
    await tx.rows(ADD_MEMBERS, [id, caseIds.filter(isUuid)]);
    await tx.rows(REPORT, toStored([id, classes, by, reason]));
    if (subject !== null) await deleteLettersWith(tx, subject);
  });
}

/** SHA-256 over the key and the SHA-256 of a text, as in tombstones. */
function keyedDigest(key: string, text: string): string {
  const inner = createHash('sha256').update(text.trim()).digest();
  return createHash('sha256').update(key).update(inner).digest('hex');
}

// The key of an alert that came by the queue is `alerts:JOB:DIGEST`.
const JOBS = `
  select (select coalesce(json_agg(d.id), '[]') from runs r join deliveries d on d.run_id = r.id where r.case_id = $1)
      as deliveries,
    (select coalesce(json_agg(v.id), '[]') from corrected_verdicts v where v.case_id = $1) as corrections,
    (select coalesce(json_agg(substring(k.key from '^alerts:(.*):[^:]*$')), '[]') from idempotency_keys k
      where k.case_id = $1 and k.key like 'alerts:%') as alerts`;

interface JobRow {
  deliveries: string[];
  corrections: string[];
  alerts: string[];
}

async function eraseMember(
  database: Database,
  member: MemberRow,
  key: string,
  withdraw: Queue['remove'],
): Promise<void> {
  const { request_id: requestId, case_id: caseId, classes, by, reason } = member;
  await database.transaction(async (tx) => {
    const [taken] = await tx.rows<{ at: Date }>(TAKE, [requestId, caseId]);
    if (taken === undefined) return;
    const act = { id: randomUUID(), requestId, caseId, classes, by, reason, at: iso(taken.at), key };
    const why = await eraseCase(tx, act);
    if (why !== null) return void (await tx.rows(BLOCK, [requestId, caseId, why]));
    const [jobs] = await tx.rows<JobRow>(JOBS, [caseId]);
    if (jobs !== undefined)
      await withdraw({ verdicts: [...jobs.deliveries, ...jobs.corrections], alerts: jobs.alerts });
    await tx.rows(ERASED, [requestId, caseId]);
  });
}

const requestIn = ({ at, ended_at, ...row }: RequestRow): ShownErasure => ({
  ...row,
  at: iso(at),
  endedAt: isoOrNull(ended_at),
});

const OF_CASE = `select at, "by", reason, classes from case_erasures where case_id = $1 order by at, id`;

/** Returns the erasures of a case, oldest first. */
export async function erasuresOf(on: Queryable, caseId: string): Promise<CaseErasure[]> {
  const rows = await on.rows<Omit<CaseErasure, 'at'> & { at: Date }>(OF_CASE, [caseId]);
  return rows.map((row) => ({ ...row, at: iso(row.at) }));
}

const PAGE = `
  select id, case_id, at, "by", reason, classes, ${atUs('at')} from case_erasures
  where $1::bigint is null or (at, id) > (${timeOfPlace('$1')}, $2::uuid)
  order by at, id limit $3`;

type PageRow = Omit<ErasedCase, 'at' | 'caseId'> & { id: string; case_id: string; at: Date; at_us: string };

/** Returns a page of all erasures, oldest first. @throws InvalidInput for a wrong cursor. */
async function erasedCases(
  on: Queryable,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<ErasedCaseList> {
  const place = cursor === undefined ? null : placeOfCursor(cursor);
  const rows = await on.rows<PageRow>(PAGE, [place?.createdAt ?? null, place?.id ?? null, limit + 1]);
  const { page, nextCursor } = pageOf(rows, limit);
  const erased = page.map(({ case_id: caseId, at, by, reason, classes }) => ({
    caseId,
    at: iso(at),
    by,
    reason,
    classes,
  }));
  return { erased, nextCursor };
}

const DEFAULT = 'default';

// Cases that wait for an erasure already are left out.
const DUE = `
  with page as materialized (
    select c.id, c.playbook, c.created_at, c.updated_at from cases c
    where c.created_at <= to_timestamp($1::float8 / 1000) - $2::float8 * interval '1 day'
      and (c.created_at, c.id) > ($3::timestamptz, $4::uuid)
    order by c.created_at, c.id limit $5)
  select p.id, p.created_at::text as at, array(
    select d.class from unnest($6::text[], $7::text[], $8::float8[]) d (playbook, class, days)
    where d.playbook = case when p.playbook = any($9::text[]) then p.playbook else '${DEFAULT}' end
      and p.updated_at <= to_timestamp($1::float8 / 1000) - d.days * interval '1 day'
      and not exists (select from case_erasures e
        where e.case_id = p.id and d.class = any(e.classes) and e.at >= p.updated_at)
      and not exists (select from erasure_members m where m.case_id = p.id and m.state <> 'erased')
    ) as classes
  from page p order by p.created_at, p.id`;
const FIRST = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** Cases of a page whose content is due, by the classes to erase, and where the next page begins. */
interface DueCases {
  due: { classes: ErasableClass[]; caseIds: string[] }[];
  next: string | null;
}

/** Returns the cases of a page whose content is older than its days. */
async function dueByRetention(
  database: Database,
  { days, now, after, limit }: RetentionPage,
): Promise<DueCases> {
  const rules = Object.entries(days).flatMap(([playbook, classes]) =>
    Object.entries(classes).flatMap(([name, n]) => (n === undefined ? [] : [{ playbook, name, n }])),
  );
  if (rules.length === 0) return { due: [], next: null };
  const [at = FIRST.at, id = FIRST.id] = after?.split('|') ?? [];
  const rows = await database.rows<{ id: string; at: string; classes: ErasableClass[] }>(DUE, [
    now,
    Math.min(...rules.map(({ n }) => n)),
    at,
    id,
    limit,
    rules.map(({ playbook }) => playbook),
    rules.map(({ name }) => name),
    rules.map(({ n }) => n),
    Object.keys(days).filter((playbook) => playbook !== DEFAULT),
  ]);
  const due = new Map<string, DueCases['due'][number]>();
  for (const row of rows.filter(({ classes }) => classes.length > 0)) {
    const classes = [...row.classes].sort();
    const group = due.get(classes.join()) ?? { classes, caseIds: [] };
    due.set(classes.join(), { ...group, caseIds: [...group.caseIds, row.id] });
  }
  const last = rows.at(-1);
  return {
    due: [...due.values()],
    next: rows.length < limit || last === undefined ? null : `${last.at}|${last.id}`,
  };
}
