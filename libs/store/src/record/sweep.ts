import { RECOVERY_REMEMBERED_MS, type Activity, type Nudge, type SweepCandidate } from '@casefile/contracts';
import { assignments, tableColumns } from '../columns.js';
import type { Database } from '../database.js';
import { NEXT_CHECK_AT, isUuid, rowSet, WithClause, type RowSet } from '../row-set.js';
import {
  nudgeColumns,
  rowNudge,
  toolNudgeColumns,
  toolNudgeOf,
  type ToolNudgeRow,
  type UnitNudgeRow,
} from '../rows.js';

// The current minute, for comparison with `sweep_minute`. The index returns only rows whose time has passed
// or passes within this minute.
const THIS_MINUTE = `floor(extract(epoch from (now() - timestamptz '2000-01-01 00:00:00+00')) / 60)::int`;
const OVER = `sweep_minute <= ${THIS_MINUTE} and resume_at <= now()`;

type AgedRow = { resume_at: Date };

/** Rows `t` of the lane `live`. Their indexes have no other rows, so that a backlog of those does not delay a live case. */
const LIVE = `t.lane = 'live' and t.sweep_minute is not null`;
const OTHERS = `t.lane <> 'live' and t.sweep_minute is not null`;

const OPEN_UNIT = `t.status in ('due', 'running', 'suspended')`;
const OPEN_CALL = `t.state in ('pending', 'running')`;

// Rows locked by another process are skipped. Units whose wait is over become due; others stay unchanged
// until the caller has checked whether their job is alive. The order is that of the index: by the exact time, a pass
// would read and sort all overdue rows, which took 2 s with a million of them.
const overdueUnits = (which = 'true'): string => `
    select t.run_id, t.unit, t.resume_at from units t
    where ${OVER} and ${OPEN_UNIT} and ($2::uuid[] is null or t.case_id = any($2)) and ${which}
    order by t.sweep_minute limit $1 for no key update of t skip locked`;
const SWEEP_UNITS = `
  with live as (${overdueUnits(LIVE)}), oldest as (${overdueUnits()}),
  found as (table live union table oldest),
  woken as (
    update units u
    set ${assignments('units', {
      status: "'due'",
      wait_over: "u.wait_over or u.status = 'suspended'",
      held: 'false',
    })}
    from found f where u.run_id = f.run_id and u.unit = f.unit and (u.status = 'suspended' or u.held))
  select ${nudgeColumns('u')}, u.shared_job, f.resume_at
  from found f join units u on u.run_id = f.run_id and u.unit = f.unit`;
const overdueCalls = (which = 'true'): string => `
  (select ${toolNudgeColumns('t')}, t.resume_at from tool_calls t
  where ${OVER} and ${OPEN_CALL} and ($2::uuid[] is null or t.case_id = any($2)) and ${which}
  order by t.sweep_minute limit $1)`;
const SWEEP_CALLS = `${overdueCalls(LIVE)} union ${overdueCalls()}`;

// An event that readers skip, because an older transaction is still open, is also a sign of work. Unsent
// verdicts and ends of silences become due without an event; only recent ones count, because no process may know their
// kind.
const SOON = `t.sweep_minute <= ${THIS_MINUTE} + 1`;
const JUST = `between now() - interval '30 s' and now()`;
const ACTIVITY = `
  select (select xid || '.' || id from events order by xid desc, id desc limit 1) as "newestEvent",
    exists (select from units t where ${OVER} and ${OPEN_UNIT})
      or exists (select from tool_calls t where ${OVER} and ${OPEN_CALL})
      or exists (select from deliveries d where d.delivered_at is null and d.created_at ${JUST}
        and d.created_at < now() - interval '5 s')
      or exists (select from corrected_verdicts v where v.due_at ${JUST} and v.sent_at is null and v.cancelled_at is null)
      or exists (select from silences s where s.ends_at ${JUST}
        and exists (select from withheld_verdicts w where w.silence_id = s.id and w.settled_at is null)) as "isDue",
    exists (select from units t where ${SOON} and ${OPEN_UNIT})
      or exists (select from tool_calls t where ${SOON} and ${OPEN_CALL})
      or exists (select from corrected_verdicts v where v.due_at > now() and v.sent_at is null and v.cancelled_at is null)
      as "isSoonDue"`;

// Rows after the place ($1, $2), with a condition for each table, so that the scans of both begin there.
const dueAfter = (key: 'unit' | 'id', type: 'text' | 'uuid'): string =>
  `r.status = 'due' and r.id >= $1::uuid and t.run_id >= $1::uuid and (t.run_id, t.${key}) > ($1::uuid, $2::${type})`;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
/** Reads a page of work that should have a job, sorted by run. `place` is where the page after a row begins. */
type DuePage = (
  database: Database,
  after: [runId: string, last: string, limit: number],
) => Promise<{ nudge: Nudge; place: string }[]>;
const dueUnits = (which: string): DuePage => {
  const text = `
  select ${nudgeColumns('t')}
  from runs r join units t on t.run_id = r.id
  where ${dueAfter('unit', 'text')} and t.status = 'due' and (not t.held or t.resume_at <= now()) and ${which}
  order by t.run_id, t.unit limit $3`;
  return async (database, after) => {
    const rows = await database.rows<UnitNudgeRow>(text, after);
    return rows.map((row) => ({ nudge: rowNudge(row), place: `${row.run_id}/${row.unit}` }));
  };
};
const pendingCalls = (which: string): DuePage => {
  const text = `
  select ${toolNudgeColumns('t')}, t.run_id from runs r join tool_calls t on t.run_id = r.id
  where ${dueAfter('id', 'uuid')} and t.state = 'pending' and ${which}
  order by t.run_id, t.id limit $3`;
  return async (database, after) => {
    const rows = await database.rows<ToolNudgeRow & { run_id: string }>(text, after);
    return rows.map((row) => ({ nudge: toolNudgeOf(row), place: `${row.run_id}/${row.id}` }));
  };
};
const DUE_PARTS = [dueUnits(LIVE), pendingCalls(LIVE), dueUnits(OTHERS), pendingCalls(OTHERS)];

const UNITS = rowSet('request_rows', {
  ...tableColumns('units', 'run_id', 'unit', 'stage', 'round'),
  nudge: 'int',
});
const CALLS = rowSet('request_rows', { tool_call_id: 'uuid', nudge: 'int' });
const SAME_UNIT = `u.run_id = q.run_id and u.unit = q.unit and u.stage = q.stage and u.round = q.round and u.nudges = q.nudge
  and (u.status = 'due' or (u.status = 'running' and u.lease_until <= now())) and (not u.held or u.resume_at <= now())`;
const SAME_CALL = `t.id = q.tool_call_id and t.nudges = q.nudge
  and (t.state = 'pending' or (t.state = 'running' and t.lease_until <= now()))`;

/** Statements that change the candidates. They lock rows in a fixed order. */
interface Change {
  units: { locked: string; body: string };
  calls: { locked?: string; body: string };
}

const lockedUnits = (condition: string): string => `locked as (
    select u.run_id, u.unit from units u join request_rows q on ${condition}
    order by u.run_id, u.unit for no key update of u)`;
const OF_LOCKED_UNITS = 'from request_rows q join locked l on l.run_id = q.run_id and l.unit = q.unit where';

const RENUDGE: Change = {
  units: {
    locked: lockedUnits(SAME_UNIT),
    body: `
  update units u
  set ${assignments('units', { nudges: 'u.nudges + 1', shared_job: 'null', held: 'false', resume_at: NEXT_CHECK_AT })}
  ${OF_LOCKED_UNITS} ${SAME_UNIT} returning ${nudgeColumns('u')}`,
  },
  calls: {
    locked: `locked as (
    select t.id from tool_calls t join request_rows q on ${SAME_CALL} order by t.id for no key update of t)`,
    body: `
  update tool_calls t set ${assignments('tool_calls', { nudges: 't.nudges + 1', resume_at: NEXT_CHECK_AT })}
  from request_rows q join locked l on l.id = q.tool_call_id where ${SAME_CALL} returning ${toolNudgeColumns('t')}`,
  },
};

// Postpones the check of rows whose jobs exist. A row that has changed since is not written. The delay is the
// first parameter.
const LATER = `now() + $1::float8 * interval '1 ms'`;
const POSTPONE: Change = {
  units: {
    locked: lockedUnits(`${SAME_UNIT} and u.resume_at <= now()`),
    body: `
  update units u set ${assignments('units', { resume_at: LATER })}
  ${OF_LOCKED_UNITS} ${SAME_UNIT} and u.resume_at <= now()`,
  },
  calls: {
    body: `
  update tool_calls t set ${assignments('tool_calls', { resume_at: LATER })}
  from request_rows q where ${SAME_CALL} and t.resume_at <= now()`,
  },
};

// Ends of unknown alerts that no start can join any more.
const FORGET_RECOVERIES = `
  delete from recoveries where fingerprint in (
    select fingerprint from recoveries where at < now() - interval '${RECOVERY_REMEMBERED_MS} ms'
    order by at limit $1 for update skip locked)`;

/** Returns rows whose check is due, and deletes expired ones that no work needs. See `Units.sweep`. */
export async function sweep(
  database: Database,
  limit: number,
  cases?: readonly string[],
): Promise<SweepCandidate[]> {
  const units = await database.rows<UnitNudgeRow & AgedRow>(SWEEP_UNITS, [limit, cases ?? null]);
  const calls = await database.rows<ToolNudgeRow & AgedRow>(SWEEP_CALLS, [limit, cases ?? null]);
  if (cases === undefined) await database.rows(FORGET_RECOVERIES, [limit]);
  const nudges: { at: Date; nudge: Nudge }[] = [
    ...units.map((row) => ({ at: row.resume_at, nudge: rowNudge(row) })),
    ...calls.map((row) => ({ at: row.resume_at, nudge: toolNudgeOf(row) })),
  ];
  nudges.sort((a, b) => a.at.getTime() - b.at.getTime());
  const live = nudges.filter(({ nudge }) => nudge.lane === 'live');
  const taken = new Set([...live.slice(0, limit), ...nudges.slice(0, limit)]);
  return [...taken].map(({ nudge }) => ({ nudge }));
}

/** Returns signs of work. See `Units.activity`. */
export async function activity(database: Database): Promise<Activity> {
  const [row] = await database.rows<Activity>(ACTIVITY);
  return row ?? { newestEvent: null, isDue: true, isSoonDue: true };
}

/** Returns a page of all work that should have a job. See `Units.allDue`. */
export async function allDue(
  database: Database,
  after: string | null,
  limit: number,
): Promise<{ candidates: SweepCandidate[]; next: string | null }> {
  const [part = '0', runId = BEFORE_ALL, last = BEFORE_ALL] = after?.split('/') ?? [];
  const rows = (await DUE_PARTS[Number(part)]?.(database, [runId, last, limit])) ?? [];
  const end = rows.at(-1);
  const following = Number(part) + 1;
  const next = following < DUE_PARTS.length ? String(following) : null;
  return {
    candidates: rows.map(({ nudge }) => ({ nudge })),
    next: rows.length < limit || end === undefined ? next : `${part}/${end.place}`,
  };
}

/** Raises the counters of unchanged candidates, and returns their jobs. */
export function renudge(database: Database, candidates: SweepCandidate[]): Promise<Nudge[]> {
  return change(database, candidates, RENUDGE);
}

/** Postpones the check of unchanged candidates. */
export async function postpone(
  database: Database,
  candidates: SweepCandidate[],
  delayMs: number,
): Promise<void> {
  await change(database, candidates, POSTPONE, delayMs);
}

/** Changes all units of the candidates by one statement, and all calls by another. An empty one is not sent. */
async function change(
  database: Database,
  candidates: SweepCandidate[],
  { units, calls }: Change,
  ...params: unknown[]
): Promise<Nudge[]> {
  const changed = async <Row extends object>(
    set: RowSet<Row>,
    rows: Row[],
    { locked, body }: { locked?: string; body: string },
  ): Promise<object[]> => {
    if (rows.length === 0) return [];
    const clause = new WithClause(...params).rows(set, rows, ...(locked === undefined ? [] : [locked]));
    const statement = clause.statement(body);
    return database.rows(statement.text, statement.params);
  };
  const nudges = candidates.map(({ nudge }) => nudge);
  const stages = nudges.filter((nudge) => nudge.kind === 'stage').filter(({ runId }) => isUuid(runId));
  const tools = nudges.filter((nudge) => nudge.kind === 'tool').filter((nudge) => isUuid(nudge.toolCallId));
  const ofUnits = (await changed(UNITS, stages, units)) as UnitNudgeRow[];
  const ofCalls = (await changed(CALLS, tools, calls)) as ToolNudgeRow[];
  return [...ofUnits.map(rowNudge), ...ofCalls.map(toolNudgeOf)];
}
