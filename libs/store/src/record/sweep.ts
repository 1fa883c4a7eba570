import type { Nudge, SweepCandidate, Units } from '@casefile/contracts';
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

// Rows locked by another process are skipped. Units whose wait is over become due; others stay unchanged
// until the caller has checked whether their job is alive. The order is that of the index: by the exact time, a pass
// would read and sort all overdue rows, which took 2 s with a million of them.
const SWEEP_UNITS = `
  with found as (
    select u.run_id, u.unit, u.resume_at from units u where ${OVER} and u.status in ('due', 'running', 'suspended')
      and ($2::uuid[] is null or u.case_id = any($2))
    order by u.sweep_minute limit $1 for no key update of u skip locked),
  woken as (
    update units u
    set ${assignments('units', {
      status: "'due'",
      wait_over: "u.wait_over or u.status = 'suspended'",
      held: 'false',
    })}
    from found f where u.run_id = f.run_id and u.unit = f.unit and (u.status = 'suspended' or u.held))
  select ${nudgeColumns('u')}, u.shared_job, f.resume_at
  from found f join units u on u.run_id = f.run_id and u.unit = f.unit order by f.resume_at`;
const SWEEP_CALLS = `
  select ${toolNudgeColumns('')}, resume_at from tool_calls
  where ${OVER} and state in ('pending', 'running') and ($2::uuid[] is null or case_id = any($2)) order by sweep_minute limit $1`;

const DUE_UNITS_AFTER = `
  select ${nudgeColumns('u')}
  from runs r join units u on u.run_id = r.id
  where r.status = 'due' and u.status = 'due' and (not u.held or u.resume_at <= now())
    and ($1::uuid is null or (r.id, u.unit) > ($1::uuid, $2::text))
  order by r.id, u.unit limit $3`;
const PENDING_CALLS_AFTER = `
  select ${toolNudgeColumns('t')}, t.run_id from runs r join tool_calls t on t.run_id = r.id
  where r.status = 'due' and t.state = 'pending' and ($1::uuid is null or (r.id, t.id) > ($1::uuid, $2::uuid))
  order by r.id, t.id limit $3`;

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

/** Finds units and tool calls that should have a job but have none. */
export function postgresSweep(database: Database): Pick<Units, 'sweep' | 'allDue' | 'renudge' | 'postpone'> {
  /** Changes all units of the candidates by one statement, and all calls by another. An empty one is not sent. */
  const onEach = async (
    candidates: SweepCandidate[],
    { units, calls }: Change,
    ...params: unknown[]
  ): Promise<Nudge[]> => {
    const change = async <Row extends object>(
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
    const ofUnits = (await change(UNITS, stages, units)) as UnitNudgeRow[];
    const ofCalls = (await change(CALLS, tools, calls)) as ToolNudgeRow[];
    return [...ofUnits.map(rowNudge), ...ofCalls.map(toolNudgeOf)];
  };
  return {
    sweep: async (limit, cases) => {
      const units = await database.rows<UnitNudgeRow & AgedRow>(SWEEP_UNITS, [limit, cases ?? null]);
      const calls = await database.rows<ToolNudgeRow & AgedRow>(SWEEP_CALLS, [limit, cases ?? null]);
      const found: { at: Date; nudge: Nudge }[] = [
        ...units.map((row) => ({ at: row.resume_at, nudge: rowNudge(row) })),
        ...calls.map((row) => ({ at: row.resume_at, nudge: toolNudgeOf(row) })),
      ];
      found.sort((a, b) => a.at.getTime() - b.at.getTime());
      return found.slice(0, limit).map(({ nudge }) => ({ nudge }));
    },
    // Returns every due unit first, then every pending call, each sorted by run.
    allDue: async (after, limit) => {
      const [kind = 'unit', runId = null, last = null] = after?.split('/') ?? [];
      const params = [runId, last, limit];
      if (kind === 'unit') {
        const rows = await database.rows<UnitNudgeRow>(DUE_UNITS_AFTER, params);
        const end = rows.at(-1);
        const next = rows.length < limit || end === undefined ? 'call' : `unit/${end.run_id}/${end.unit}`;
        return { candidates: rows.map((row) => ({ nudge: rowNudge(row) })), next };
      }
      const rows = await database.rows<ToolNudgeRow & { run_id: string }>(PENDING_CALLS_AFTER, params);
      const end = rows.at(-1);
      const next = rows.length < limit || end === undefined ? null : `call/${end.run_id}/${end.id}`;
      return { candidates: rows.map((row) => ({ nudge: toolNudgeOf(row) })), next };
    },
    renudge: (candidates) => onEach(candidates, RENUDGE),
    postpone: async (candidates, delayMs) => void (await onEach(candidates, POSTPONE, delayMs)),
  };
}
