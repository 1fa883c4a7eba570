import type { AuditCheck, AuditEntry, AuditHead, AuditLog, AuditQuery } from '@casefile/contracts';
import type { Database, Queryable } from '../database.js';
import { isUuid } from '../row-set.js';
import {
  entryHash,
  entryProblems,
  NO_ENTRY,
  NO_HASH,
  type CheckedEntry,
  type StoredEntry,
} from './audit-chain.js';
import { IS_ACT, missingAtEnd, missingBetween, READER } from './audit-events.js';

/** Entries that one statement of a check reads. */
const CHECKED = 5_000;
/** Events that are read in one transaction by a check. */
const PAGE_OF_CHECK = 2_000;
/** Findings that a check returns. */
const MOST_FINDINGS = 100;

const BEGIN = `insert into event_readers (name, xid, event_id) values ('${READER}', 0, 0) on conflict do nothing`;
const PLACE = `select xid, event_id from event_readers where name = '${READER}' for update`;
// As for every reader of events: the page ends below the oldest open transaction, so that no event is skipped.
const PAGE = `
  select e.xid, e.id, e.type, e.run_id, coalesce(e.data ->> 'caller', e.data ->> 'by', e.data ->> 'editedBy', '') as actor,
    e.is_act,
    case e.type when 'record.read' then (e.data ->> 'caseId')::uuid else e.case_id end as case_id,
    case e.type when 'record.read' then e.data ->> 'path' else a.subject end as subject,
    to_char(e.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
    encode(sha256(convert_to(e.data::text, 'UTF8')), 'hex') as digest
  from (
    select *, ${IS_ACT} as is_act from events
    where (xid, id) > ($1::bigint, $2::bigint) and xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
    order by xid, id limit $3) e
    left join acts a on a.id = e.data ->> 'actId'
  order by e.xid, e.id`;
const ADD = `
  insert into audit_entries (seq, at, actor, act, subject, case_id, run_id, event_xid, event_id, digest, previous, hash, read_to)
  select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::uuid[],
    $8::bigint[], $9::bigint[], $10::text[], $11::text[], $12::text[], $13::text[])`;
const MOVE = `update event_readers set xid = $1, event_id = $2 where name = '${READER}'`;
const HEAD = 'select seq::int as count, hash from audit_entries order by seq desc limit 1';
const ENTRY = `t.seq::int as seq, t.at, t.actor, t.act, t.subject, t.case_id as "caseId", t.run_id as "runId",
  t.event_xid || '.' || t.event_id as "eventId", t.digest, t.previous, t.hash, t.read_to as "readTo"`;
const list = (next: string, order: string): string => `
  select ${ENTRY} from audit_entries t
  where ($1::text is null or t.actor = $1) and ($2::text is null or t.act = $2)
    and ($3::uuid is null or t.case_id = $3) and ($4::bigint is null or t.seq ${next} $4)
  order by t.seq ${order} limit $5`;
const LIST = { newest: list('<', 'desc'), oldest: list('>', 'asc') };
const CHECK = `
  select ${ENTRY}, encode(sha256(convert_to(e.data::text, 'UTF8')), 'hex') as "storedDigest"
  from audit_entries t left join events e on e.xid = t.event_xid and e.id = t.event_id
  where t.seq > $1 order by t.seq limit ${CHECKED}`;

// An erasure lists the events that people caused with their digests before and after. It counts only if it is itself on
// the log. Until the log can read it, because its transaction can still be open ($2), its event is used instead.
const ERASED = `
  select e.data -> 'events' as events from events e
  where e.case_id = any($1::uuid[]) and e.run_id is null and e.type = 'case.erased' and (
    exists (select from audit_entries t where t.case_id = e.case_id and t.event_xid = e.xid and t.event_id = e.id
      and t.act = 'case.erased' and t.digest = encode(sha256(convert_to(e.data::text, 'UTF8')), 'hex'))
    or (e.xid >= $2::bigint and e.xid < pg_snapshot_xmax(pg_current_snapshot())::text::bigint
      and e.at between now() - interval '10 minutes' and now()))`;
const OLDEST_OPEN = 'select pg_snapshot_xmin(pg_current_snapshot())::text as xid';

interface EventRow {
  xid: string;
  id: string;
  type: string;
  case_id: string | null;
  run_id: string | null;
  actor: string;
  is_act: boolean;
  subject: string | null;
  at: string;
  digest: string;
}

/** Creates the audit log of a database. */
export function postgresAuditLog(database: Database): AuditLog {
  return {
    append: (limit) => database.transaction((tx) => append(tx, limit)),
    list: ({ actor, act, caseId, order, after, limit }: AuditQuery) =>
      caseId !== undefined && !isUuid(caseId)
        ? Promise.resolve([])
        : database.rows<AuditEntry>(LIST[order], [
            actor ?? null,
            act ?? null,
            caseId ?? null,
            after ?? null,
            limit,
          ]),
    head: () => headIn(database),
    check: (noted) => check(database, noted),
  };
}

async function append(tx: Queryable, limit: number): Promise<number> {
  const read = () => tx.rows<{ xid: string; event_id: string }>(PLACE);
  let [place] = await read();
  if (place === undefined) {
    await tx.rows(BEGIN);
    [place] = await read();
  }
  const events = await tx.rows<EventRow>(PAGE, [place?.xid ?? 0, place?.event_id ?? 0, limit]);
  const last = events.at(-1);
  if (last === undefined) return 0;
  const entries: AuditEntry[] = [];
  let head = await headIn(tx);
  for (const event of events) {
    if (!event.is_act) continue;
    const entry = entryAfter(head, event, `${last.xid}.${last.id}`);
    entries.push(entry);
    head = { count: entry.seq, hash: entry.hash };
  }
  if (entries.length > 0) await tx.rows(ADD, entryColumns(entries));
  await tx.rows(MOVE, [last.xid, last.id]);
  return events.length;
}

function entryAfter(head: AuditHead, event: EventRow, readTo: string): AuditEntry {
  const unhashed = {
    seq: head.count + 1,
    at: event.at,
    actor: event.actor,
    act: event.type,
    subject: event.subject,
    caseId: event.case_id,
    runId: event.run_id,
    eventId: `${event.xid}.${event.id}`,
    digest: event.digest,
    previous: head.hash,
    readTo,
  };
  return { ...unhashed, hash: entryHash(unhashed) };
}

function entryColumns(entries: readonly AuditEntry[]): unknown[][] {
  const place = entries.map(({ eventId }) => eventId.split('.'));
  return [
    entries.map(({ seq }) => seq),
    entries.map(({ at }) => at),
    entries.map(({ actor }) => actor),
    entries.map(({ act }) => act),
    entries.map(({ subject }) => subject),
    entries.map(({ caseId }) => caseId),
    entries.map(({ runId }) => runId),
    place.map(([xid]) => xid),
    place.map(([, id]) => id),
    entries.map(({ digest }) => digest),
    entries.map(({ previous }) => previous),
    entries.map(({ hash }) => hash),
    entries.map(({ readTo }) => readTo),
  ];
}

async function headIn(on: Queryable): Promise<AuditHead> {
  const [head] = await on.rows<AuditHead>(HEAD);
  return head ?? { count: 0, hash: NO_HASH };
}

async function check(database: Database, noted: AuditHead | null): Promise<AuditCheck> {
  const findings: string[] = [];
  let problems = 0;
  const report = (newProblems: readonly string[]): void => {
    problems += newProblems.length;
    findings.push(...newProblems.slice(0, MOST_FINDINGS - findings.length));
  };
  let before: CheckedEntry = NO_ENTRY;
  for (;;) {
    const entries = await withErasures(database, await database.rows<StoredEntry>(CHECK, [before.seq]));
    const missing = await missingBetween(database, before, entries);
    for (const entry of entries) {
      report(entryProblems(entry, before));
      before = entry;
      if (entry.seq === noted?.count && entry.hash !== noted.hash)
        report([`entry ${entry.seq} has another hash than the noted head`]);
    }
    report(missing);
    if (entries.length < CHECKED) break;
  }
  report(await missingAtEnd(database, before));
  if (noted !== null && before.seq < noted.count)
    report([
      `the log ends with entry ${before.seq}, and the noted head is entry ${noted.count}: its end was cut`,
    ]);
  return { count: before.seq, hash: before.hash, problems, findings };
}

/** Marks the entries whose events were changed by a valid erasure. */
async function withErasures(database: Database, entries: StoredEntry[]): Promise<StoredEntry[]> {
  const differing = entries.filter(
    ({ storedDigest, digest, caseId }) => caseId !== null && storedDigest !== digest,
  );
  if (differing.length === 0) return entries;
  // Everything before this transaction is on the log after the next lines.
  const [open] = await database.rows<{ xid: string }>(OLDEST_OPEN);
  while ((await database.transaction((tx) => append(tx, PAGE_OF_CHECK))) === PAGE_OF_CHECK);
  const caseIds = [...new Set(differing.map(({ caseId }) => caseId))];
  const rows = await database.rows<{ events: [id: string, before: string, after: string][] }>(ERASED, [
    caseIds,
    open?.xid,
  ]);
  const erased = new Set(rows.flatMap(({ events }) => events.map((event) => event.join(' '))));
  return entries.map((entry) =>
    erased.has(`${entry.eventId} ${entry.digest} ${entry.storedDigest}`)
      ? { ...entry, storedDigest: entry.digest }
      : entry,
  );
}
