import {
  boundValue,
  deadLetterCountSchema,
  deadLetterSchema,
  storableJson,
  toStored,
  type DeadLetterFilter,
  type DeadLetters,
  type Json,
  type Nudge,
} from '@casefile/contracts';
import { atUs, instantOf, lastInstantOf, pageOf, placeOfCursor, timeOfPlace } from './cursor.js';
import type { Database, Queryable } from '../database.js';
import { NEXT_CHECK_AT, isUuid } from '../row-set.js';
import { iso, rowNudge, recordOfSchema, type UnitNudgeRow } from '../rows.js';

/** Reason code of a run that an operator abandoned. */
const DROPPED = 'dropped';
const DROPPED_MESSAGE = 'Dropped by an operator. Reason of the wait:';

const letterOf = recordOfSchema(deadLetterSchema);
const countIn = recordOfSchema(deadLetterCountSchema);

const BURY = `
  insert into dead_letters (id, kind, reason_code, message, payload, proven_by)
  values ($1, $6, $2, $3, $4::json, $5)
  on conflict (id) do nothing`;

const statusRuns = (status: string): string => `
    select id::text, 'run', coalesce(reason_code, 'unexpected'), coalesce(message, ''), case_id, id, null,
      coalesce(ended_at, created_at), null, (select a.rest ->> 'source' from alerts a where a.id = alert_id)
      from runs where status = '${status}' and lane <> 'shadow'`;

// Stored alerts, and quarantined or parked runs, with one query per index. Shadow runs are left out, because
// no sender waits for them.
const LETTERS = `
  select l.*, ${atUs('l.at')} from (
    select id, kind, reason_code, message, null::uuid as case_id, null::uuid as run_id, payload, at, proven_by,
      coalesce(payload ->> 'source', proven_by) as source
      from dead_letters
    union all ${statusRuns('quarantined')} union all ${statusRuns('parked')}) l`;
const NEWEST_FIRST = 'order by l.at desc, l.id collate "C" desc';
const matchingLetters = (q: string): string => `(${q}::text is null
  or position(lower(${q}) in lower(concat_ws(' ', l.id, l.reason_code, l.message, l.case_id, l.payload ->> 'text'))) > 0)`;
// Parameters from $1 on, in the order of `filterParams`.
const MATCHES = `($1::text is null or l.reason_code = $1) and ${matchingLetters('$2')} and ($3::text is null or l.kind = $3)
  and ($4::text is null or position(lower($4) in lower(l.source)) > 0)
  and ($5::timestamptz is null or l.at >= $5) and ($6::timestamptz is null or l.at <= $6)`;
const AFTER = `($7::text is null or (l.at, l.id collate "C") < (${timeOfPlace('$7')}, $8::text))`;

function filterParams({ reason, q, kind, source, from, to }: DeadLetterFilter): unknown[] {
  return [
    reason ?? null,
    q?.trim() || null,
    kind ?? null,
    source?.trim() || null,
    from === undefined ? null : instantOf('from', from),
    to === undefined ? null : lastInstantOf('to', to),
  ];
}

const COUNTS = `
  select l.reason_code, count(*)::int as count, min(l.at) as oldest_at from (${LETTERS}) l where ${MATCHES}
  group by 1 order by 2 desc, 1`;

const SETTLE = `
  with gone as (delete from dead_letters where id = $1 returning *),
  kept as (
    insert into edited_alerts (letter_id, case_id, alert_id, reason_code, message, original, proven_by, edited_by, buried_at)
    select id, $2::uuid, $4::uuid, reason_code, message, $5::json, proven_by, $6, at from gone where $6::text is not null
    on conflict (letter_id) do nothing)
  insert into events (type, case_id, run_id, data)
  select 'operator.redrove', $2::uuid, $3::uuid,
    json_build_object('letterId', id, 'kind', kind, 'reasonCode', reason_code, 'editedBy', $6::text) from gone returning id`;

const EDITED = `
  select letter_id as id, 'alert' as kind, reason_code, message, case_id, null as run_id, original as payload, buried_at as at,
    proven_by, coalesce(original ->> 'source', proven_by) as source,
    json_build_object('by', edited_by, 'at', edited_at, 'alertId', alert_id) as edited
  from edited_alerts where letter_id = $1`;

/** Dead letters in Postgres: stored alerts, and runs that need review. */
export function postgresDeadLetters(database: Database): DeadLetters {
  return {
    bury: async (entry) => {
      const { id, reasonCode, message } = toStored({ ...entry, payload: null });
      const payload = storableJson(boundValue(toStored(entry.payload ?? null) as Json));
      await database.rows(BURY, [
        id,
        reasonCode,
        message,
        payload,
        entry.provenBy ?? null,
        entry.kind ?? 'alert',
      ]);
    },
    find: async (query) => {
      const { cursor, limit, ...filter } = toStored(query);
      const place = cursor === undefined ? undefined : placeOfCursor(cursor, { ofUuid: false });
      const rows = await database.rows<{ id: string; at_us: string }>(
        `${LETTERS} where ${MATCHES} and ${AFTER} ${NEWEST_FIRST} limit $9`,
        [...filterParams(filter), place?.createdAt ?? null, place?.id ?? null, limit + 1],
      );
      const { page, nextCursor } = pageOf(rows, limit);
      return { items: page.map(letterOf), nextCursor };
    },
    count: async (filter = {}) =>
      (await database.rows<object>(COUNTS, filterParams(toStored(filter)))).map(countIn),
    of: async (ids) => {
      const text = `${LETTERS} where l.id = any($1::text[]) ${NEWEST_FIRST}`;
      return (await database.rows(text, [toStored(ids)])).map(letterOf);
    },
    redrive: (runIds) => redriveRuns(database, runIds),
    settle: async (id, { caseId, runId, alertId }, edit) => {
      const original = edit === undefined ? null : storableJson(edit.original);
      const params = [id, caseId, runId, alertId, original, toStored(edit?.by ?? null)];
      return (await database.rows(SETTLE, params)).length > 0;
    },
    edited: async (id) => {
      const [row] = await database.rows<{ edited: { at: string } }>(EDITED, [toStored(id)]);
      if (row === undefined) return null;
      return letterOf({ ...row, edited: { ...row.edited, at: iso(row.edited.at) } });
    },
    drop: (ids) => dropDeadLetters(database, ids),
  };
}

// Locked in the order of ids, so that two concurrent operators do not deadlock.
const WAITING = `
  before as (
    select r.id, r.case_id, coalesce(r.reason_code, 'unexpected') as reason_code, coalesce(r.message, '') as message
    from runs r where r.id = any($1::uuid[]) and r.status in ('quarantined', 'parked') order by r.id for update)`;

// This event is logged after the event of the run: selecting the count makes Postgres write the run's event
// first.
const notedType = (type: string): string => `
  insert into events (type, case_id, run_id, data)
  select '${type}', before.case_id, before.id,
    json_build_object('letterId', before.id, 'kind', 'run', 'reasonCode', before.reason_code)
  from before where (select count(*) from told) >= 0`;

const REDRIVE = `with ${WAITING},
  run as (
    update runs r set status = 'due', reason_code = null, message = null, ended_at = null
    from before where r.id = before.id returning r.id, r.case_id),
  unit as (
    update units u set status = 'due', nudges = u.nudges + 1, shared_job = null, crashes = 0, first_crash_at = null, failures = 0,
      held = false, reason_code = null, message = null, resume_at = ${NEXT_CHECK_AT}
    from run where u.run_id = run.id and u.status in ('quarantined', 'parked')
    returning u.run_id, u.unit, u.stage, u.round, u.lane, u.nudges),
  told as (
    insert into events (type, case_id, run_id, data)
    select 'run.redriven', run.case_id, run.id, json_build_object('units',
      (select json_agg(json_build_object('unit', u.unit, 'stage', u.stage, 'round', u.round)) from unit u where u.run_id = run.id))
    from run returning id),
  noted as (${notedType('operator.redrove')})
  select * from unit order by run_id, unit`;

/**
 * Resumes quarantined and parked runs at their current stage, on an operator's request. Other runs stay
 * unchanged.
 */
export async function redriveRuns(
  database: Queryable,
  runIds: string[],
): Promise<{ redriven: string[]; nudges: Nudge[] }> {
  const rows = await database.rows<UnitNudgeRow>(REDRIVE, [runIds.filter(isUuid)]);
  const redriven = [...new Set(rows.map((row) => row.run_id))];
  return { redriven, nudges: rows.map(rowNudge) };
}

// Stops the run like a stage does: its other units stop too, and their workers lose their leases.
const DROP = `with ${WAITING},
  run as (
    update runs r set status = 'stopped', reason_code = '${DROPPED}', ended_at = now(),
      message = '${DROPPED_MESSAGE} ' || before.reason_code || ': ' || before.message
    from before where r.id = before.id returning r.id, r.case_id, r.message),
  unit as (
    update units u set status = 'stopped', epoch = u.epoch + 1, lease_until = null, resume_at = null
    from run where u.run_id = run.id and u.status not in ('finished', 'decided', 'stopped')
    returning u.run_id, u.unit, u.stage, u.round),
  told as (
    insert into events (type, case_id, run_id, data)
    select 'run.stopped', run.case_id, run.id, json_build_object('stage', u.stage, 'round', u.round, 'unit', u.unit,
      'reasonCode', '${DROPPED}', 'message', run.message)
    from run join lateral (select * from unit u where u.run_id = run.id order by u.unit limit 1) u on true returning id),
  gone as (delete from dead_letters where id = any($2::text[]) returning id, kind, reason_code),
  noted as (${notedType('operator.dropped')}),
  noted_alerts as (
    insert into events (type, data) select 'operator.dropped',
      json_build_object('letterId', id, 'kind', kind, 'reasonCode', reason_code) from gone)
  select id::text from before union all select id from gone`;

/** Abandons dead letters. Returns the ids that existed. */
export async function dropDeadLetters(database: Queryable, ids: string[]): Promise<string[]> {
  const rows = await database.rows<{ id: string }>(DROP, [ids.filter(isUuid), toStored(ids)]);
  return rows.map((row) => row.id);
}
