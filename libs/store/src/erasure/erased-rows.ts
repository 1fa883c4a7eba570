import {
  storableJson,
  withoutText,
  type ErasableClass,
  type Json,
  type JsonObject,
} from '@casefile/contracts';
import type { Queryable } from '../database.js';
import { digestOf, tombstoneOf } from './statements.js';

/** Parameters of a statement: the case, its runs, `{ at, by, reason }` as JSON, and the key of digests. */
export type ErasureParams = [caseId: string, runIds: string[], erasure: string, key: string];

/** An event that people caused, before and after its text was removed. */
export type ErasedEvent = [id: string, before: string, after: string];

/** Adds to every statement, so that Postgres knows the types of parameters that it does not use. */
const GIVEN = 'given as (select $1::uuid, $2::uuid[], $3::json, $4::text)';
const EVENT_DIGEST = `encode(sha256(convert_to(e.data::text, 'UTF8')), 'hex')`;

const EVENTS = `
  with ${GIVEN}
  select e.xid::text, e.id::text, e.type, e.data, ${EVENT_DIGEST} as before, ${digestOf('e.data::text')} as digest
  from events e
  where (e.run_id = any($2::uuid[]) or (e.run_id is null and e.case_id = $1::uuid)) and e.type <> 'case.erased'
  order by e.xid, e.id`;
const WRITE_EVENTS = `
  update events e set data = v.data from json_to_recordset($1::json) v (xid bigint, id bigint, data json)
  where e.xid = v.xid and e.id = v.id returning e.xid || '.' || e.id as id, ${EVENT_DIGEST} as after`;

interface EventRow {
  xid: string;
  id: string;
  type: string;
  data: JsonObject;
  before: string;
  digest: string;
}

/** Returns whether a person caused the event. The audit log has the digests of these events. */
const isCausedByPerson = ({ type, data }: EventRow): boolean =>
  /^operator\.|^batch\./.test(type) || data['by'] !== undefined || data['editedBy'] !== undefined;

/**
 * Removes the text of the events of a case. Events without text stay as they are.
 * @returns the changed events that people caused, for the audit log.
 */
export async function eraseEvents(
  tx: Queryable,
  params: ErasureParams,
  classes: readonly ErasableClass[],
): Promise<ErasedEvent[]> {
  const all = classes.includes('message') || classes.includes('evidence');
  if (!all && !classes.includes('prompts')) return [];
  const erasure = JSON.parse(params[2]) as JsonObject;
  const changed = (await tx.rows<EventRow>(EVENTS, params))
    .filter(({ type, data }) => data['erased'] !== true && (all || type.startsWith('interaction.')))
    .map((row) => ({ row, data: strippedBody(row.data, erasure, row.digest) }))
    .filter((event): event is { row: EventRow; data: JsonObject } => event.data !== null);
  if (changed.length === 0) return [];
  const rows = changed.map(({ row: { xid, id }, data }) => ({ xid, id, data }));
  const written = await tx.rows<{ id: string; after: string }>(WRITE_EVENTS, [storableJson(rows)]);
  const after = new Map(written.map((row) => [row.id, row.after]));
  return changed
    .filter(({ row }) => isCausedByPerson(row))
    .map(({ row }) => {
      const id = `${row.xid}.${row.id}`;
      return [id, row.before, after.get(id) ?? ''];
    });
}

/** Returns a body without text, with a tombstone; null: the body has no text. */
function strippedBody(body: JsonObject, erasure: JsonObject, digest: string): JsonObject | null {
  const kept = withoutText(body as Json) as JsonObject;
  if (JSON.stringify(kept) === JSON.stringify(body)) return null;
  return { ...kept, erased: true, erasure, digest };
}

const ARTIFACTS = `
  with ${GIVEN}
  update artifacts t set body = ${tombstoneOf('t.body::text')}
  where t.run_id = any($2::uuid[]) and t.artifact <> 'verdict' and (t.body ->> 'erased') is distinct from 'true'`;

/** A table with a JSON column that keeps its numbers and codes. */
interface StrippedTable {
  select: string;
  update: string;
}

const stripped = (table: string, key: string, column: string, rows: string): StrippedTable => ({
  select: `with ${GIVEN}
    select t.${key} as key, t.${column} as body, ${digestOf(`t.${column}::text`)} as digest from ${table} t
    where ${rows}`,
  update: `update ${table} t set ${column} = v.body from json_to_recordset($1::json) v (key text, body json)
    where t.${key}::text = v.key`,
});

// A run has one verdict, so the id of the run is the key of this artifact.
const VERDICTS: StrippedTable = {
  ...stripped('artifacts', 'run_id', 'body', `t.run_id = any($2::uuid[]) and t.artifact = 'verdict'`),
  update: `update artifacts t set body = v.body from json_to_recordset($1::json) v (key uuid, body json)
    where t.run_id = v.key and t.artifact = 'verdict'`,
};
const CORRECTED = stripped('corrected_verdicts', 'id', 'body', 't.case_id = $1::uuid');
const LABELS = stripped('feedback', 'id', 'outcome', 't.case_id = $1::uuid');
const ACTS = stripped('acts', 'id', 'data', `t.subject = 'review ' || $1::uuid::text`);
const SETTINGS = stripped(
  'runs',
  'id',
  'settings',
  `t.id = any($2::uuid[]) and t.settings -> 'reflection' is not null`,
);

/** @returns the digests of the changed bodies, by key. */
async function strip(
  tx: Queryable,
  { select, update }: StrippedTable,
  params: ErasureParams,
  change: (body: JsonObject) => JsonObject = (body) => withoutText(body as Json) as JsonObject,
): Promise<Record<string, string>> {
  const rows = await tx.rows<{ key: string; body: JsonObject; digest: string }>(select, params);
  const changed = rows
    .map((row) => ({ ...row, kept: change(row.body) }))
    .filter(({ body, kept }) => JSON.stringify(kept) !== JSON.stringify(body));
  const values = changed.map(({ key, kept }) => ({ key, body: kept }));
  if (values.length > 0) await tx.rows(update, [storableJson(values)]);
  return Object.fromEntries(changed.map(({ key, digest }) => [key, digest]));
}

/**
 * Removes the text of artifacts, verdicts, corrections, labels and acts of review.
 * @returns digests of the verdicts: `verdicts/RUN`.
 */
export async function eraseJudgements(
  tx: Queryable,
  params: ErasureParams,
  classes: readonly ErasableClass[],
): Promise<Record<string, string>> {
  if (classes.some((one) => one !== 'images'))
    await strip(tx, SETTINGS, params, (body) => ({
      ...body,
      reflection: { text: '', cases: [], tried: [] },
    }));
  if (!classes.includes('message') && !classes.includes('evidence')) return {};
  // A brief contains no other text than the message.
  const briefs = classes.includes('message') ? '' : ` and t.artifact <> 'brief'`;
  await tx.rows(ARTIFACTS + briefs, params);
  const verdicts = await strip(tx, VERDICTS, params);
  for (const table of [CORRECTED, LABELS, ACTS]) await strip(tx, table, params);
  await tx.rows('update feedback set note = null where case_id = $1 and note is not null', [params[0]]);
  await tx.rows(`update acts set reason = '' where subject = $1 and reason <> ''`, [`review ${params[0]}`]);
  return Object.fromEntries(Object.entries(verdicts).map(([run, digest]) => [`verdicts/${run}`, digest]));
}
