import type { Nudge, SweepCandidate, Units } from '@casefile/contracts';
import type { Database } from '../database.js';
import { AGAIN, isUuid, RowSets } from '../row-set.js';
import { nudgeOf, toolNudgeOf, type ToolNudgeRow, type UnitNudgeRow } from '../rows.js';

// The minute of `sweep_minute`: the index finds what is over or will be within the minute, no more.
const THIS_MINUTE = `floor(extract(epoch from (now() - timestamptz '2000-01-01 00:00:00+00')) / 60)::int`;
const OVER = `sweep_minute <= ${THIS_MINUTE} and resume_at <= now()`;

type Aged = { resume_at: Date };

// What another process is at just now is left to it. Waits that are over become due; the others stay as they are
// until the caller has looked whether their job is alive.
const SWEEP_UNITS = `
  with found as (
    select u.run_id, u.unit, u.resume_at from units u where ${OVER} and u.status in ('due', 'running', 'suspended')
      and ($2::uuid[] is null or u.case_id = any($2))
    order by u.resume_at limit $1 for no key update of u skip locked),
  woken as (
    update units u set status = 'due', wait_over = u.wait_over or u.status = 'suspended', held = false
    from found f where u.run_id = f.run_id and u.unit = f.unit and (u.status = 'suspended' or u.held))
  select u.run_id, u.unit, u.stage, u.round, u.lane, u.nudges, u.shared_job, f.resume_at
  from found f join units u on u.run_id = f.run_id and u.unit = f.unit order by f.resume_at`;
const SWEEP_CALLS = `
  select id, tool, lane, nudges, resume_at from tool_calls
  where ${OVER} and state in ('pending', 'running') and ($2::uuid[] is null or case_id = any($2)) order by resume_at limit $1`;

const DUE_UNITS_AFTER = `
  select u.run_id, u.unit, u.stage, u.round, u.lane, u.nudges
  from runs r join units u on u.run_id = r.id
  where r.status = 'due' and u.status = 'due' and (not u.held or u.resume_at <= now())
    and ($1::uuid is null or (r.id, u.unit) > ($1::uuid, $2::text))
  order by r.id, u.unit limit $3`;
const PENDING_CALLS_AFTER = `
  select t.id, t.tool, t.lane, t.nudges, t.run_id from runs r join tool_calls t on t.run_id = r.id
  where r.status = 'due' and t.state = 'pending' and ($1::uuid is null or (r.id, t.id) > ($1::uuid, $2::uuid))
  order by r.id, t.id limit $3`;

const UNIT_CANDIDATE = 'run_id uuid, unit text, stage text, round int, nudge int';
const CALL_CANDIDATE = 'tool_call_id uuid, nudge int';
const SAME_UNIT = `u.run_id = q.run_id and u.unit = q.unit and u.stage = q.stage and u.round = q.round and u.nudges = q.nudge
  and (u.status = 'due' or (u.status = 'running' and u.lease_until <= now())) and (not u.held or u.resume_at <= now())`;
const SAME_CALL = `t.id = q.tool_call_id and t.nudges = q.nudge
  and (t.state = 'pending' or (t.state = 'running' and t.lease_until <= now()))`;

const renudgeUnits = (source: string): string => `
  with req as (select * from ${source}),
  locked as (select u.run_id, u.unit from units u join req q on ${SAME_UNIT}
    order by u.run_id, u.unit for no key update of u)
  update units u set nudges = u.nudges + 1, shared_job = null, held = false, resume_at = ${AGAIN}
  from req q join locked l on l.run_id = q.run_id and l.unit = q.unit where ${SAME_UNIT}
  returning u.run_id, u.unit, u.stage, u.round, u.lane, u.nudges`;
const renudgeCalls = (source: string): string => `
  with req as (select * from ${source}),
  locked as (select t.id from tool_calls t join req q on ${SAME_CALL} order by t.id for no key update of t)
  update tool_calls t set nudges = t.nudges + 1, resume_at = ${AGAIN}
  from req q join locked l on l.id = q.tool_call_id where ${SAME_CALL} returning t.id, t.tool, t.lane, t.nudges`;

const UNTIL = `now() + $2::float8 * interval '1 ms'`;
const postponeUnits = (source: string): string => `
  with req as (select * from ${source}),
  locked as (select u.run_id, u.unit from units u join req q on ${SAME_UNIT} and u.resume_at <= now()
    order by u.run_id, u.unit for no key update of u)
  update units u set resume_at = ${UNTIL}
  from req q join locked l on l.run_id = q.run_id and l.unit = q.unit where ${SAME_UNIT} and u.resume_at <= now()`;
const postponeCalls = (source: string): string =>
  `update tool_calls t set resume_at = ${UNTIL} from ${source} where ${SAME_CALL} and t.resume_at <= now()`;

/** Finds what should have a job and has none. */
export function postgresSweep(database: Database): Pick<Units, 'sweep' | 'allDue' | 'renudge' | 'postpone'> {
  /** For the units and the calls of the candidates a statement each, where there are any. */
  const onEach = async (
    candidates: SweepCandidate[],
    ofUnits: (source: string) => string,
    ofCalls: (source: string) => string,
    params: unknown[] = [],
  ): Promise<Nudge[]> => {
    const ask = <R extends object>(columns: string, nudges: Nudge[], statement: typeof ofUnits) => {
      if (nudges.length === 0) return [];
      const sets = new RowSets();
      const text = statement(sets.add('q', columns, nudges));
      return database.rows<R>(text, [...sets.params, ...params]);
    };
    const nudges = candidates.map(({ nudge }) => nudge);
    const stages = nudges.filter((nudge) => nudge.kind === 'stage' && isUuid(nudge.runId));
    const tools = nudges.filter((nudge) => nudge.kind === 'tool' && isUuid(nudge.toolCallId));
    const units = await ask<UnitNudgeRow>(UNIT_CANDIDATE, stages, ofUnits);
    const calls = await ask<ToolNudgeRow>(CALL_CANDIDATE, tools, ofCalls);
    return [...units.map(nudgeOf), ...calls.map(toolNudgeOf)];
  };
  return {
    sweep: async (limit, cases) => {
      const units = await database.rows<UnitNudgeRow & Aged>(SWEEP_UNITS, [limit, cases ?? null]);
      const calls = await database.rows<ToolNudgeRow & Aged>(SWEEP_CALLS, [limit, cases ?? null]);
      const found: { at: Date; nudge: Nudge }[] = [
        ...units.map((row) => ({ at: row.resume_at, nudge: nudgeOf(row) })),
        ...calls.map((row) => ({ at: row.resume_at, nudge: toolNudgeOf(row) })),
      ];
      found.sort((a, b) => a.at.getTime() - b.at.getTime());
      return found.slice(0, limit).map(({ nudge }) => ({ nudge }));
    },
    // First every due unit, then every pending call, each by run.
    allDue: async (after, limit) => {
      const [kind = 'unit', runId = null, last = null] = after?.split('/') ?? [];
      const params = [runId, last, limit];
      if (kind === 'unit') {
        const rows = await database.rows<UnitNudgeRow>(DUE_UNITS_AFTER, params);
        const end = rows.at(-1);
        const next = rows.length < limit || end === undefined ? 'call' : `unit/${end.run_id}/${end.unit}`;
        return { candidates: rows.map((row) => ({ nudge: nudgeOf(row) })), next };
      }
      const rows = await database.rows<ToolNudgeRow & { run_id: string }>(PENDING_CALLS_AFTER, params);
      const end = rows.at(-1);
      const next = rows.length < limit || end === undefined ? null : `call/${end.run_id}/${end.id}`;
      return { candidates: rows.map((row) => ({ nudge: toolNudgeOf(row) })), next };
    },
    renudge: (candidates) => onEach(candidates, renudgeUnits, renudgeCalls),
    postpone: async (candidates, delayMs) =>
      void (await onEach(candidates, postponeUnits, postponeCalls, [delayMs])),
  };
}
