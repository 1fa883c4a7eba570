import type { Lease, Nudge, ToolLease } from '@casefile/contracts';
import { LOOK_AGAIN_MS } from './unit-state.js';
import type { Database } from '../database.js';
import { HOLDS, LEASE_COLUMNS } from './record-rows.js';
import { RowSets } from '../row-set.js';
import { nudgeOf, toolNudgeOf, type ToolNudgeRow, type UnitNudgeRow } from '../rows.js';

const renewUnits = (leases: string): string => `
  with req as (select * from ${leases}),
  locked as (select u.run_id, u.unit from units u join req q on ${HOLDS}
    order by u.run_id, u.unit for no key update of u)
  update units u set status = 'running', lease_until = now() + $2::float8 * interval '1 ms',
    resume_at = now() + $2::float8 * interval '1 ms'
  from req q join locked l on l.run_id = q.run_id and l.unit = q.unit where ${HOLDS} returning q.i`;

const TOOL_LEASE_COLUMNS = 'i int, tool_call_id uuid, epoch int';
const renewCalls = (leases: string): string => `
  with req as (select * from ${leases}),
  locked as (select t.id from tool_calls t join req q on t.id = q.tool_call_id order by t.id for no key update of t)
  update tool_calls t set lease_until = now() + $2::float8 * interval '1 ms',
    resume_at = now() + $2::float8 * interval '1 ms'
  from req q join locked l on l.id = q.tool_call_id
  where t.id = q.tool_call_id and t.epoch = q.epoch and t.state = 'running' returning q.i`;

async function renewed<L extends object>(
  database: Database,
  columns: string,
  statement: (leases: string) => string,
  leases: L[],
  leaseMs: number,
): Promise<L[]> {
  if (leases.length === 0) return [];
  const sets = new RowSets();
  const rows = leases.map((lease, i) => ({ i, ...lease }));
  const text = statement(sets.add('q', columns, rows));
  const kept = await database.rows<{ i: number }>(text, [...sets.params, leaseMs]);
  const alive = new Set(kept.map((row) => row.i));
  return leases.filter((_lease, i) => !alive.has(i));
}

/** Extends leases of units, and claims what nobody has claimed yet; returns those that were lost. */
export function renew(database: Database, leases: Lease[], leaseMs: number): Promise<Lease[]> {
  return renewed(database, LEASE_COLUMNS, renewUnits, leases, leaseMs);
}

/** Extends leases of tool calls; returns those that were lost. */
export function renewToolCalls(
  database: Database,
  leases: ToolLease[],
  leaseMs: number,
): Promise<ToolLease[]> {
  return renewed(database, TOOL_LEASE_COLUMNS, renewCalls, leases, leaseMs);
}

/** Gives a unit back unused; with a pause it is not due before that is over, and the sweeper sends its job. */
export async function release(database: Database, lease: Lease, pauseMs = 0): Promise<Nudge[]> {
  const sets = new RowSets();
  const after = pauseMs > 0 ? pauseMs : LOOK_AGAIN_MS;
  const rows = await database.rows<UnitNudgeRow>(
    `update units u set status = 'due', nudges = u.nudges + 1, shared_job = null, lease_until = null, left_at = now(),
       held = ${pauseMs > 0}, resume_at = now() + interval '${after} ms'
     from ${sets.add('q', LEASE_COLUMNS, [{ i: 0, ...lease }])} where ${HOLDS}
     returning u.run_id, u.unit, u.stage, u.round, u.lane, u.nudges`,
    sets.params,
  );
  return pauseMs > 0 ? [] : rows.map(nudgeOf);
}

/** Gives a tool call back unused. */
export async function releaseToolCall(database: Database, lease: ToolLease): Promise<Nudge[]> {
  const rows = await database.rows<ToolNudgeRow>(
    `update tool_calls t set state = 'pending', nudges = t.nudges + 1, lease_until = null,
       resume_at = now() + interval '${LOOK_AGAIN_MS} ms'
     where t.id = $1 and t.epoch = $2 and t.state = 'running' returning t.id, t.tool, t.lane, t.nudges`,
    [lease.toolCallId, lease.epoch],
  );
  return rows.map(toolNudgeOf);
}
