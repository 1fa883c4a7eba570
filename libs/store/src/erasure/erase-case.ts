import {
  storableJson,
  type ErasableClass,
  type ShownErasure,
  withoutText,
  type Json,
  type JsonObject,
} from '@casefile/contracts';
import type { Queryable } from '../database.js';
import { blockedAmong } from './erasable.js';
import { erasureRules, digestOf, erasing, tombstoneOf, GIVEN } from './erasure-rules.js';

const LOCK = 'select playbook from cases where id = $1 for update';
const RUNS = 'select id from runs where case_id = $1';
// Runs of prompt evolutions quote the cases that the evolution reads. If an evolution reads this case, all of its
// runs are searched. This is rare, so the runs need no index for the search.
const READ_BY = `
  select id::text from evolutions where playbook = $2 and strpos(progress::text, $1::uuid::text) > 0`;
const REFLECTIONS = `
  select id from runs where settings -> 'reflection' is not null and settings ->> 'batch' = any($1::text[])`;
const IMAGES = `
  with ${GIVEN}
  select coalesce(json_object_agg('alerts/' || t.id, ${digestOf('t.image')}), '{}') as images
  from alerts t where t.case_id = $1::uuid and t.image is not null`;
const CASE = `update cases set text = '', fingerprint = null where id = $1 and (text <> '' or fingerprint is not null)`;
const RECOVERY = 'delete from recoveries where fingerprint = (select fingerprint from cases where id = $1)';
const RUN_MESSAGES = 'update runs set message = null where id = any($1::uuid[]) and message is not null';
const FORGET_WORDS = 'delete from case_words where case_id = $1';
const ALERT_WORDS = `
  insert into case_words (case_id, created_at, words, dataset)
  select c.id, c.created_at, words_of(s.shown), c.dataset
  from alerts a join cases c on c.id = a.case_id cross join lateral (select shown_of(a.text, c.text, a.rest) as shown) s
  where c.id = $1 and s.shown <> ''`;
const ADD = `
  insert into case_erasures (id, case_id, classes, "by", reason, digests, at)
  values ($1, $2, $3, $4, $5, $6::json, $7::timestamptz) on conflict (id) do nothing`;
const REPORT = `insert into events (type, case_id, data) values ('case.erased', $1, $2::json)`;

/** An erasure of one case. */
interface CaseErasureAct extends Pick<ShownErasure, 'classes' | 'by' | 'reason'> {
  id: string;
  requestId: string;
  caseId: string;
  /** ISO 8601. */
  at: string;
  /** Key of the digests in tombstones. */
  key: string;
}

/**
 * Erases classes of content of a case, as part of a transaction.
 * @returns the work that has to end first, or null: the case was erased, or is not on the record.
 */
export async function eraseCase(tx: Queryable, act: CaseErasureAct): Promise<string | null> {
  const { caseId, classes, by, reason, at, key } = act;
  const [row] = await tx.rows<{ playbook: string }>(LOCK, [caseId]);
  if (row === undefined) return null;
  const [blocked] = await blockedAmong(tx, [caseId]);
  if (blocked !== undefined) return blocked.why;
  const runs = [...(await idsOf(tx, RUNS, [caseId])), ...(await reflectionsOn(tx, caseId, row.playbook))];
  const params: ErasureParams = [caseId, [...new Set(runs)], JSON.stringify({ at, by, reason }), key];
  const [{ images } = { images: {} }] = await tx.rows<{ images: object }>(IMAGES, params);
  // Before the past case is deleted, whose title and note other cases may quote.
  if (hasText(classes)) await eraseQuotes(tx, caseId);
  const events = await eraseEvents(tx, params, classes);
  const verdicts = await eraseJudgements(tx, params, classes);
  for (const [name, table] of erasureRules) {
    const statement = erasing(name, table, classes);
    if (statement !== null) await tx.rows(statement.text, params);
  }
  if (hasText(classes)) {
    await tx.rows(RUN_MESSAGES, [params[1]]);
    await tx.rows(FORGET_WORDS, [caseId]);
    if (classes.includes('message')) await tx.rows(RECOVERY, [caseId]);
    await tx.rows(classes.includes('message') ? CASE : ALERT_WORDS, [caseId]);
  }
  const ofImages = classes.includes('message') || classes.includes('images') ? images : {};
  const digests = { ...ofImages, ...verdicts };
  await tx.rows(ADD, [act.id, caseId, classes, by, reason, storableJson(digests), at]);
  const data = { by, reason, classes, erasureId: act.id, requestId: act.requestId, events };
  await tx.rows(REPORT, [caseId, storableJson(data)]);
  return null;
}

const hasText = (classes: readonly ErasableClass[]): boolean =>
  classes.includes('message') || classes.includes('evidence');

async function reflectionsOn(tx: Queryable, caseId: string, playbook: string): Promise<string[]> {
  const evolutions = await idsOf(tx, READ_BY, [caseId, playbook]);
  return evolutions.length === 0 ? [] : idsOf(tx, REFLECTIONS, [evolutions]);
}

async function idsOf(tx: Queryable, statement: string, params: unknown[]): Promise<string[]> {
  return (await tx.rows<{ id: string }>(statement, params)).map(({ id }) => id);
}

const LESSON = 'select reports, pattern, state from lessons where case_id = $1 for update';
const DELETE_REPORTS = `
  delete from scam_reports r using json_to_recordset($1::json) v ("entityType" text, "entityValue" text)
  where r.entity_type = v."entityType" and r.entity_value = v."entityValue" and r.source = $2`;
const EMPTY_LESSON = `update lessons set reports = '[]', pattern = null, state = 'none' where case_id = $1`;
// Searches in other processes read changed patterns by revision, so an emptied pattern stays as a row.
const RAISE = `
  insert into knowledge_bases (name, revision) values ('scam-patterns', 1)
  on conflict (name) do update set revision = knowledge_bases.revision + 1 returning revision`;
const EMPTY_PATTERN = `
  update scam_patterns set title = '', texts = '{}', red_flags = '{}', revision = $2, changed_at = now() where id = $1`;
const DELETE_VECTORS = 'delete from pattern_vectors where pattern_id = $1';

const PAST_CASE = 'select title, note from past_cases where case_id = $1';
const QUOTING = `
  select distinct run_id from tool_calls where tool = 'past_cases' and strpos(result::text, $1) > 0`;
/** Shorter texts are no quotes: replacing them could change field names. */
const SHORTEST = 8;
/** Text that stands in place of a quote of an erased case. */
const ERASED = '[erased]';
const QUOTED_IN = [
  ['tool_calls', 'result', 'json'],
  ['tool_results', 'body', 'text'],
  ['artifacts', 'body', 'json'],
  ['llm_interactions', 'request', 'json'],
  ['llm_interactions', 'response', 'json'],
  ['llm_interactions', 'content', 'text'],
  ['llm_interactions', 'tool_calls', 'json'],
  ['llm_interactions', 'reasoning_content', 'text'],
  ['llm_interactions', 'reasoning_summary', 'text'],
] as const;
const replaceIn = ([table, column, type]: (typeof QUOTED_IN)[number]): string => `
  update ${table} t set ${column} = replace(t.${column}::text, $2, '${ERASED}')::${type}
  where t.run_id = any($1::uuid[]) and strpos(t.${column}::text, $2) > 0`;

interface LessonRow {
  reports: object[];
  pattern: { id: string } | null;
  state: string;
}

/**
 * Erases what other places took from a case: its values in the scam database, the pattern that was made from it,
 * and its title and note where other cases were shown it as a past case.
 */
async function eraseQuotes(tx: Queryable, caseId: string): Promise<void> {
  await eraseLesson(tx, caseId);
  const [past] = await tx.rows<{ title: string; note: string | null }>(PAST_CASE, [caseId]);
  if (past === undefined) return;
  const runs = await tx.rows<{ run_id: string }>(QUOTING, [caseId]);
  if (runs.length === 0) return;
  const ids = runs.map(({ run_id: id }) => id);
  for (const text of [past.title, past.note ?? ''].filter((one) => one.length >= SHORTEST))
    for (const written of spellings(text))
      for (const place of QUOTED_IN) await tx.rows(replaceIn(place), [ids, written]);
}

/** The longest spelling first: a prompt is JSON and can contain JSON that contains the text. */
function spellings(text: string): string[] {
  const inJson = JSON.stringify(text).slice(1, -1);
  const inJsonTwice = JSON.stringify(inJson).slice(1, -1);
  return [...new Set([inJsonTwice, inJson, text])].sort((a, b) => b.length - a.length);
}

async function eraseLesson(tx: Queryable, caseId: string): Promise<void> {
  const [lesson] = await tx.rows<LessonRow>(LESSON, [caseId]);
  if (lesson === undefined) return;
  await tx.rows(DELETE_REPORTS, [JSON.stringify(lesson.reports), `case ${caseId}`]);
  if (lesson.pattern !== null && lesson.state === 'approved') {
    const { id } = lesson.pattern;
    const [raised] = await tx.rows<{ revision: string }>(RAISE);
    await tx.rows(EMPTY_PATTERN, [id, raised?.revision ?? 0]);
    await tx.rows(DELETE_VECTORS, [id]);
  }
  await tx.rows(EMPTY_LESSON, [caseId]);
}

/** Parameters of a statement: the case, its runs, `{ at, by, reason }` as JSON, and the key of digests. */
type ErasureParams = [caseId: string, runIds: string[], erasure: string, key: string];

/** An event that people caused, before and after its text was removed. */
type ErasedEvent = [id: string, before: string, after: string];

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
async function eraseEvents(
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
async function eraseJudgements(
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
