import type { DeadLetter, Json, Nudge } from '@casefile/contracts';
import { LOOK_AGAIN_MS, nudgeOf } from '../plan/unit-state.js';
import { bounded, encode, stored } from '../storable.js';
import type { Database } from './database.js';
import { isUuid } from './row-set.js';
import { iso, type NudgedUnitRow } from './rows.js';

export async function buryAlert(
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

/** Takes buried alerts out again. */
export async function dropBuriedAlerts(database: Database, ids: string[]): Promise<number> {
  const gone = await database.rows('delete from dead_letters where id = any($1) returning id', [ids]);
  return gone.length;
}

interface DeadLetterRow {
  id: string;
  kind: DeadLetter['kind'];
  reason_code: string;
  message: string;
  case_id: string | null;
  run_id: string | null;
  payload: Json;
  at: Date;
}

/** Alerts that were buried and runs that are quarantined, newest first. */
export async function listDeadLetters(database: Database, limit: number): Promise<DeadLetter[]> {
  const rows = await database.rows<DeadLetterRow>(
    `(select id, kind, reason_code, message, null::uuid as case_id, null::uuid as run_id, payload, at from dead_letters
      order by at desc limit $1)
     union all
     (select id::text, 'run', coalesce(reason_code, 'unexpected'), coalesce(message, ''), case_id, id, null, ended_at
      from runs where status = 'quarantined' order by ended_at desc limit $1)
     order by at desc limit $1`,
    [limit],
  );
  return rows.map(({ id, kind, message, payload, ...row }) => {
    const of = { caseId: row.case_id, runId: row.run_id };
    return { id, kind, reasonCode: row.reason_code, message, ...of, payload, at: iso(row.at) };
  });
}

const REDRIVE = `
  with run as (
    update runs r set status = 'due', reason_code = null, message = null, ended_at = null
    where r.id = any($1::uuid[]) and r.status in ('quarantined', 'parked') returning r.id, r.case_id),
  unit as (
    update units u set status = 'due', nudges = u.nudges + 1, crashes = 0, first_crash_at = null, failures = 0,
      held = false, reason_code = null, message = null, resume_at = now() + interval '${LOOK_AGAIN_MS} ms'
    from run where u.run_id = run.id and u.status in ('quarantined', 'parked')
    returning u.run_id, u.unit, u.stage, u.round, u.lane, u.nudges, u.status),
  told as (
    insert into events (type, case_id, run_id, data)
    select 'run.redriven', run.case_id, run.id, json_build_object('units',
      (select json_agg(json_build_object('unit', u.unit, 'stage', u.stage, 'round', u.round)) from unit u where u.run_id = run.id))
    from run)
  select * from unit order by run_id, unit`;

/** Quarantined and parked runs go on where they were; any other run is left alone. */
export async function redriveRuns(database: Database, runIds: string[]): Promise<Nudge[]> {
  const rows = await database.rows<NudgedUnitRow>(REDRIVE, [runIds.filter(isUuid)]);
  return rows.map((row) => nudgeOf({ ...row, runId: row.run_id }));
}
