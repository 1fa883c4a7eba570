import type { CommitRequest, CommitResult, Nudge } from '@casefile/contracts';
import {
  ARTIFACTS,
  AWAITED_CALLS,
  CommitRows,
  DELIVERIES,
  ENDS,
  MOVES,
  OPENED,
  QUESTIONS,
} from './commit-rows.js';
import type { Queryable, Statement } from '../database.js';
import type { HotWrite } from '../write-lane.js';
import { assignments, copyColumns as copied, insertInto, columnList } from '../columns.js';
import { OPEN_SESSIONS, SESSIONS } from '../record/engagement-sessions.js';
import { NEXT_CHECK_AT, WithClause } from '../row-set.js';
import { nudgeColumns, rowNudge, toolNudgeOf, type ToolNudgeRow, type UnitNudgeRow } from '../rows.js';
import { SETTLED, settling } from './budget-sql.js';
import { COPY_ANSWERS, READS, RECORD_CALLS, RECORD_RESULTS, RESULT_EVENTS } from './journal-sql.js';
import { CALLS, EVENTS, HOLDS, isCharged, lockUnits, RESULTS } from './record-rows.js';
import { wakeSettled } from './wake.js';

/**
 * Ends many stages in one statement. A request whose lease is lost writes nothing, returns no row and is
 * reported as stale. The other requests are written.
 */
export const commitWrite: HotWrite<CommitRequest, CommitResult> = {
  name: 'commit',
  statement: commitStatement,
  // A commit may also claim the next stage, and the first intent of that stage can be in the same batch of
  // writes. The intent is valid only after the commit, so commits are written first.
  goesFirst: true,
  // A tool call may have ended before its unit began to wait for it. No later event would wake the unit, so
  // this is checked in the same transaction, under the lock of the unit.
  within: {
    isNeeded: (requests) => requests.some(({ move }) => move.calls !== undefined),
    ask: async (tx, requests, rows) => [...rows, ...(await wakeAnswered(tx, requests, rows as WrittenRow[]))],
  },
  results: requestResults,
};

type WrittenRow =
  | ({ kind: 'unit'; i: number; nudged: boolean; epoch: number } & UnitNudgeRow)
  | ({ kind: 'silent'; i: number; nudged: boolean } & UnitNudgeRow)
  | ({ kind: 'call'; i: number } & ToolNudgeRow);

async function wakeAnswered(
  tx: Queryable,
  requests: CommitRequest[],
  written: WrittenRow[],
): Promise<WrittenRow[]> {
  const inserted = (i: number): number => written.filter((row) => row.kind === 'call' && row.i === i).length;
  const questions = requests.flatMap(({ move: { calls, asks: question }, lease, stage = lease.stage }, i) => {
    if (calls === undefined || question !== undefined) return [];
    const isWaiting = calls.length === 0 || inserted(i) < calls.length;
    return isWaiting ? [{ ...lease, stage, i }] : [];
  });
  const woken = await wakeSettled(tx, questions);
  return woken.map((row) => ({ kind: 'unit', nudged: true, epoch: 0, ...row }));
}

function requestResults(requests: CommitRequest[], rows: object[]): CommitResult[] {
  const written = rows as WrittenRow[];
  const nudges = new Map<number, Nudge[]>();
  for (const row of written) {
    const list = nudges.get(row.i) ?? [];
    nudges.set(row.i, list);
    if (row.kind === 'call') list.push(toolNudgeOf(row));
    else if (row.nudged) list.push(rowNudge(row));
  }
  return requests.map(({ claimForMs }, i) => {
    const own = nudges.get(i);
    if (own === undefined) return { kind: 'stale' };
    if (written.some((it) => it.i === i && it.kind === 'silent'))
      return { kind: 'committed', nudges: own, isSilent: true };
    const row = claimForMs === undefined ? undefined : written.find((it) => it.i === i);
    if (row?.kind !== 'unit') return { kind: 'committed', nudges: own };
    const { run_id: runId, unit, stage, round, epoch } = row;
    return { kind: 'committed', nudges: own, lease: { runId, unit, stage, round, epoch } };
  });
}

// Crashes and failures are counted per stage. The counts belong to the stage for which the lease was claimed.
// They are reset if the worker ended a later stage.
const KEEPS = 'q.keeps_counts and q.at_stage = q.stage';

// The fence: `held` contains only requests whose lease is still valid. All other parts join on `held`, so a
// request with a lost lease writes nothing.
const FENCE = `locked as (${lockUnits(HOLDS, 'u.run_id, u.unit')}),
  held as (
    update units u
    set ${assignments('units', {
      status: 'q.to_status',
      stage: 'coalesce(q.to_stage, q.at_stage)',
      round: 'coalesce(q.to_round, u.round)',
      nudges: 'u.nudges + coalesce(q.nudged, false)::int',
      shared_job: "case when u.lane = 'live' then q.shared_job end",
      epoch: 'u.epoch + (q.claim_ms is not null)::int',
      lease_until: "now() + q.claim_ms * interval '1 ms'",
      resume_at: "now() + coalesce(q.claim_ms, q.resume_in_ms) * interval '1 ms'",
      held: 'coalesce(q.held, false)',
      crashes: `case when ${KEEPS} then u.crashes else 0 end`,
      first_crash_at: `case when ${KEEPS} then u.first_crash_at end`,
      failures: `case when ${KEEPS} then u.failures else 0 end + coalesce(q.failed, false)::int`,
      wait_step: 'q.wait_step',
      wait_signal: 'q.wait_signal',
      wait_over: 'false',
      open_units: 'coalesce(q.open_units, 0)',
      left_at: 'case when q.failed then now() end',
      paused_ms: 'case when q.to_stage is null and q.at_stage = q.stage then u.paused_ms else 0 end',
      reason_code: 'q.reason_code',
      message: 'q.message',
    })}
    from request_rows q join locked l on l.run_id = q.run_id and l.unit = q.unit
    where ${HOLDS}
    returning q.i, coalesce(q.nudged, false) as nudged, q.ends_at, q.at_stage as done_stage, q.round as done_round,
      u.case_id, u.epoch, u.shared_job, ${nudgeColumns('u')})`;

// Returns the time at which the stage of a row ended. It is written later, so `ago_ms` is subtracted.
const endedRow = (row: string): string => `now() - coalesce(${row}.ago_ms, 0) * interval '1 ms'`;

const APPEND = `artifact as (
    ${insertInto('artifacts', {
      run_id: 'h.run_id',
      unit: 'h.unit',
      artifact: 'a.artifact',
      round: 'h.done_round',
      body: 'a.body',
      created_at: endedRow('a'),
    })}
    from artifact_rows a join held h on h.i = a.i)`;

const AWAIT_CALLS = `call as (
    ${insertInto('tool_calls', {
      id: 'w.id',
      run_id: 'h.run_id',
      unit: 'h.unit',
      stage: 'h.done_stage',
      round: 'h.done_round',
      step: 'w.step',
      seq: 'w.seq',
      case_id: 'h.case_id',
      lane: 'h.lane',
      tool: 'w.tool',
      args: 'w.args',
      resume_at: NEXT_CHECK_AT,
    })}
    from awaited_rows w join held h on h.i = w.i on conflict do nothing
    returning ${columnList('tool_calls', '', 'id', 'tool', 'lane', 'nudges', 'run_id', 'unit', 'step')})`;

// A question that is already recorded is not changed, because a person may have seen or answered it.
const ASK = `question as (
    ${insertInto('signals', {
      run_id: 'h.run_id',
      unit: 'h.unit',
      stage: 'h.done_stage',
      round: 'h.done_round',
      step: 's.step',
      case_id: 'h.case_id',
      ...copied('s', 'name', 'question', 'options', 'fallback'),
      until: "now() + s.timeout_ms * interval '1 ms'",
    })}
    from question_rows s join held h on h.i = s.i on conflict do nothing)`;

const OPEN_UNITS = `opened as (
    ${insertInto('units', {
      run_id: 'h.run_id',
      unit: 'o.unit',
      case_id: 'h.case_id',
      lane: 'h.lane',
      stage: 'o.stage',
      round: 'o.round',
      resume_at: NEXT_CHECK_AT,
    })}
    from opened_rows o join held h on h.i = o.i
    on conflict (run_id, unit) do update
    set ${assignments('units', {
      status: "'due'",
      stage: 'excluded.stage',
      round: 'excluded.round',
      nudges: 'units.nudges + 1',
      resume_at: 'excluded.resume_at',
      held: 'false',
      crashes: '0',
      first_crash_at: 'null',
      failures: '0',
      wait_over: 'false',
      wait_step: 'null',
      left_at: 'null',
      paused_ms: '0',
      reason_code: 'null',
      message: 'null',
    })}
    returning ${nudgeColumns('')})`;

// Subtracts ended units from `open_units` of the run's main unit `''`, which becomes due at 0. If two
// transactions end the last two units concurrently, the second reads the updated count under the row lock. So
// exactly one of them makes the main unit due.
const JOIN_UNITS = `joined as (
    update units u
    set ${assignments('units', {
      open_units: 'u.open_units - f.n',
      round: 'greatest(u.round, f.round)',
      status: "case when u.open_units > f.n then u.status else 'due' end",
      stage: 'f.ends_at',
      nudges: 'u.nudges + (u.open_units <= f.n)::int',
      resume_at: `case when u.open_units <= f.n then ${NEXT_CHECK_AT} end`,
    })}
    from (select run_id, min(i) as i, count(*)::int as n, max(done_round) as round, min(ends_at) as ends_at
          from held where ends_at is not null group by run_id) f
    where u.run_id = f.run_id and u.unit = '' and u.status = 'joining'
    returning f.i, u.status, ${nudgeColumns('u')})`;

const END_RUN = `ended as (
    select h.run_id, h.unit, h.case_id, h.lane, e.* from end_rows e join held h on h.i = e.i),
  run as (
    update runs r
    set ${assignments('runs', {
      ...copied('e', 'status', 'reason_code', 'message', 'disposition', 'action', 'confidence', 'degraded'),
      decided_at: "case when e.status = 'decided' then now() end",
      ended_at: 'now()',
    })}
    from ended e where r.id = e.run_id and (r.status = 'due'
      or (r.status in ('quarantined', 'parked') and e.status not in ('quarantined', 'parked')))),
  decided as (
    select case_id, array_agg(run_id) as runs, json_object_agg(run_id, disposition) as dispositions,
      json_object_agg(run_id, action) as actions from ended where status = 'decided' and lane <> 'shadow' group by case_id),
  shown as (
    update cases c
    set ${assignments('cases', {
      updated_at: 'now()',
      status:
        "case when c.status <> 'closed' and c.leading_run_id = any(d.runs) then 'decided' else c.status end",
      decided_at: 'case when c.leading_run_id = any(d.runs) then now() else c.decided_at end',
      disposition: ofNewestRun('disposition'),
      action: ofNewestRun('action'),
    })}
    from decided d where c.id = d.case_id returning c.id, c.decided_at, c.leading_run_id),
  halted as (
    update units u
    set ${assignments('units', { status: "'stopped'", epoch: 'u.epoch + 1', lease_until: 'null', resume_at: 'null' })}
    from ended e where e.status = 'stopped' and u.run_id = e.run_id and u.unit <> e.unit
      and u.status not in ('finished', 'decided', 'stopped'))`;

function ofNewestRun(column: 'disposition' | 'action'): string {
  return `case when c.newest_run_id = any(d.runs) then d.${column}s ->> c.newest_run_id::text else c.${column} end`;
}

// Rules `unchanged` and `superseded` of `verdictTransition`: a verdict that changes nothing for receivers, or that a
// later run of the case overtook, counts as delivered. The row of the case is read after its lock was granted.
const DELIVER = `leaving as (
    select d.id, h.i, h.run_id, coalesce(d.is_unchanged, false)
      or (s.leading_run_id is distinct from h.run_id and s.decided_at >= r.created_at) as is_silent
    from delivery_rows d join held h on h.i = d.i join shown s on s.id = h.case_id join runs r on r.id = h.run_id),
  delivery as (
    ${insertInto('deliveries', {
      id: 'l.id',
      run_id: 'l.run_id',
      delivered_at: 'case when l.is_silent then now() end',
    })} from leaving l)`;

const report = (withResults: boolean): string => `reported as (
    ${insertInto('events', {
      type: 't.type',
      case_id: 'h.case_id',
      run_id: 'h.run_id',
      data: 't.data',
      at: endedRow('t'),
    })}
    from (select i, n, type, data, ago_ms from event_rows
      ${withResults ? `union all select e.*, null from (${RESULT_EVENTS}) e` : ''}) t
    join held h on h.i = t.i order by t.i, t.n)`;

// Composed at start, because composing it at every flush would take time.
const REPORT = report(false);
const REPORT_WITH_RESULTS = report(true);
const SETTLE_RESULTS = settling('result');

const UNIT = `'unit' as kind, i, ${nudgeColumns('')}`;

/** Returns one statement for a batch of commits, with only the parts that the batch needs. */
function commitStatement(requests: CommitRequest[]): Statement {
  const rows = new CommitRows(requests);
  const { results, moves } = rows;
  const parts = new WithClause().rows(MOVES, moves, FENCE);
  const out = [`select ${UNIT}, nudged, null::uuid as id, null as tool, epoch, shared_job from held`];
  parts.someRows(RESULTS, results, RECORD_RESULTS);
  if (results.some(isCharged)) parts.add(SETTLE_RESULTS, SETTLED);
  parts.someRows(ARTIFACTS, rows.artifacts, APPEND);
  parts.someRows(CALLS, rows.inlineCalls, RECORD_CALLS);
  parts.someRows(READS, rows.reads, COPY_ANSWERS);
  if (parts.someRows(AWAITED_CALLS, rows.awaitedCalls, AWAIT_CALLS)) {
    out.push(`select 'call', h.i, c.run_id, c.unit, null, c.step, c.lane, c.nudges, true, c.id, c.tool, 0, null
      from call c join held h on h.run_id = c.run_id and h.unit = c.unit`);
  }
  parts.someRows(QUESTIONS, rows.questions, ASK);
  if (parts.someRows(OPENED, rows.opened, OPEN_UNITS)) {
    out.push(`select 'unit', h.i, ${nudgeColumns('o')}, true, null, null, 0, null
      from opened o join held h on h.run_id = o.run_id and h.unit = ''`);
  }
  if (moves.some((move) => typeof move.endsAt === 'string')) {
    parts.add(JOIN_UNITS);
    out.push(`select ${UNIT}, true, null, null, 0, null from joined where status = 'due'`);
  }
  parts.someRows(ENDS, rows.ends, END_RUN);
  if (parts.someRows(DELIVERIES, rows.deliveries, DELIVER))
    out.push(
      `select 'silent', i, ${nudgeColumns('')}, false, null, null, 0, null from held where i in (select i from leaving where is_silent)`,
    );
  parts.someRows(SESSIONS, rows.sessions, OPEN_SESSIONS);
  parts.rows(EVENTS, rows.events, results.length > 0 ? REPORT_WITH_RESULTS : REPORT);
  return parts.statement(out.join('\nunion all '));
}
