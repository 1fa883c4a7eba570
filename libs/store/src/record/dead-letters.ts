import type {
  DeadLetter,
  DeadLetterCount,
  DeadLetterPage,
  DeadLetterQuery,
  DeadLetters,
  Json,
  Nudge,
} from '@casefile/contracts';
import { cursorOf, placeOfCursor } from './cursor.js';
import { LOOK_AGAIN_MS, nudgeOf } from '../hot/unit-state.js';
import { bounded, encode, stored } from '../storable.js';
import type { Database, Queryable } from '../database.js';
import { isUuid } from '../row-set.js';
import { recordOf, type NudgedUnitRow } from '../rows.js';

/** Reason code of a run that a person gave up. */
const DROPPED = 'dropped';
const DROPPED_MESSAGE = 'An operator gave it up. It waited because of';

/** Dead letters, in Postgres: alerts that were buried, and runs that wait for a person. */
export function postgresDeadLetters(database: Database): DeadLetters {
  return {
    bury: (entry) => buryAlert(database, entry),
    find: (query) => findDeadLetters(database, query),
    count: (q) => countDeadLetters(database, q),
    of: (ids) => deadLettersOf(database, ids),
    redrive: (runIds) => redriveRuns(database, runIds),
    settle: (id, accepted) => settleBuriedAlert(database, id, accepted),
    drop: (ids) => dropDeadLetters(database, ids),
  };
}

async function buryAlert(
  database: Database,
  entry: { id: string; reasonCode: string; message: string; payload: unknown },
): Promise<void> {
  const { id, reasonCode, message } = stored({ ...entry, payload: null });
  const payload = encode(bounded(stored(entry.payload ?? null) as Json));
  await database.rows(
    `insert into dead_letters (id, kind, reason_code, message, payload) values ($1, 'alert', $2, $3, $4::json)
     on conflict (id) do nothing`,
    [id, reasonCode, message, payload],
  );
}

const letterOf = recordOf<DeadLetter>()([
  'id',
  'kind',
  'reasonCode',
  'message',
  'caseId',
  'runId',
  'payload',
  'at',
]);

const runsOf = (status: string): string => `
    select id::text, 'run', coalesce(reason_code, 'unexpected'), coalesce(message, ''), case_id, id, null,
      coalesce(ended_at, created_at) from runs where status = '${status}'`;

// Alerts that were buried, and runs that are quarantined or parked. A part for each index.
const LETTERS = `
  select l.*, (extract(epoch from l.at) * 1000000)::bigint::text as at_us from (
    select id, kind, reason_code, message, null::uuid as case_id, null::uuid as run_id, payload, at from dead_letters
    union all ${runsOf('quarantined')} union all ${runsOf('parked')}) l`;
const NEWEST_FIRST = 'order by l.at desc, l.id collate "C" desc';
const found = (q: string): string => `(${q}::text is null
  or position(lower(${q}) in lower(concat_ws(' ', l.id, l.reason_code, l.message, l.case_id, l.payload ->> 'text'))) > 0)`;
const SEARCHED = `($2::text is null or l.reason_code = $2) and ${found('$3')}`;
const AFTER = `($4::text is null or (l.at, l.id collate "C") < (timestamptz 'epoch' + $4::bigint * interval '1 microsecond', $5::text))`;

async function findDeadLetters(database: Database, query: DeadLetterQuery): Promise<DeadLetterPage> {
  const { q, reason, cursor, limit } = stored(query);
  const place = cursor === undefined ? undefined : placeOfCursor(cursor, { ofUuid: false });
  const rows = await database.rows<{ id: string; at_us: string }>(
    `${LETTERS} where ${SEARCHED} and ${AFTER} ${NEWEST_FIRST} limit $1`,
    [limit + 1, reason ?? null, q?.trim() || null, place?.createdAt ?? null, place?.id ?? null],
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    items: page.map(letterOf),
    nextCursor: more ? cursorOf({ createdAt: last.at_us, id: last.id }) : null,
  };
}

const COUNTS = `
  select l.reason_code as "reasonCode", count(*)::int as count from (${LETTERS}) l where ${found('$1')}
  group by 1 order by 2 desc, 1`;

function countDeadLetters(database: Database, q?: string): Promise<DeadLetterCount[]> {
  return database.rows<DeadLetterCount>(COUNTS, [stored(q)?.trim() || null]);
}

async function deadLettersOf(database: Database, ids: string[]): Promise<DeadLetter[]> {
  const rows = await database.rows(`${LETTERS} where l.id = any($1::text[]) ${NEWEST_FIRST}`, [stored(ids)]);
  return rows.map(letterOf);
}

// Locked in the order of ids, so that two who act on the same runs do not wait for each other in a circle.
const WAITING = `
  before as (
    select r.id, r.case_id, coalesce(r.reason_code, 'unexpected') as reason_code, coalesce(r.message, '') as message
    from runs r where r.id = any($1::uuid[]) and r.status in ('quarantined', 'parked') order by r.id for update)`;

// After what was done to the run: that the count is asked for makes it be told first.
const noted = (type: string): string => `
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
      held = false, reason_code = null, message = null, resume_at = now() + interval '${LOOK_AGAIN_MS} ms'
    from run where u.run_id = run.id and u.status in ('quarantined', 'parked')
    returning u.run_id, u.unit, u.stage, u.round, u.lane, u.nudges, u.status),
  told as (
    insert into events (type, case_id, run_id, data)
    select 'run.redriven', run.case_id, run.id, json_build_object('units',
      (select json_agg(json_build_object('unit', u.unit, 'stage', u.stage, 'round', u.round)) from unit u where u.run_id = run.id))
    from run returning id),
  noted as (${noted('operator.redrove')})
  select * from unit order by run_id, unit`;

/** Quarantined and parked runs go on where they were, as a person asked; any other run is left alone. */
export async function redriveRuns(
  database: Queryable,
  runIds: string[],
): Promise<{ redriven: string[]; nudges: Nudge[] }> {
  const rows = await database.rows<NudgedUnitRow>(REDRIVE, [runIds.filter(isUuid)]);
  const redriven = [...new Set(rows.map((row) => row.run_id))];
  return { redriven, nudges: rows.map((row) => nudgeOf({ ...row, runId: row.run_id })) };
}

const SETTLE = `
  with gone as (delete from dead_letters where id = $1 returning id, kind, reason_code)
  insert into events (type, case_id, run_id, data)
  select 'operator.redrove', $2::uuid, $3::uuid,
    json_build_object('letterId', id, 'kind', kind, 'reasonCode', reason_code) from gone returning id`;

async function settleBuriedAlert(
  database: Database,
  id: string,
  { caseId, runId }: { caseId: string; runId: string },
): Promise<boolean> {
  return (await database.rows(SETTLE, [id, caseId, runId])).length > 0;
}

// As a run that a stage stops: its other units stop with it, and who works on one is fenced off.
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
  noted as (${noted('operator.dropped')}),
  noted_alerts as (
    insert into events (type, data) select 'operator.dropped',
      json_build_object('letterId', id, 'kind', kind, 'reasonCode', reason_code) from gone)
  select id::text from before union all select id from gone`;

/** Gives dead letters up. Returns the ids of those that were there. */
export async function dropDeadLetters(database: Queryable, ids: string[]): Promise<string[]> {
  const rows = await database.rows<{ id: string }>(DROP, [ids.filter(isUuid), stored(ids)]);
  return rows.map((row) => row.id);
}
