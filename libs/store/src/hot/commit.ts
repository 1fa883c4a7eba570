import type { CommitRequest, CommitResult, Lane, Nudge } from '@casefile/contracts';
import { CommitRows } from './commit-rows.js';
import type { Queryable, Statement } from '../database.js';
import type { HotWrite } from '../write-lane.js';
import {
  CALL_COLUMNS,
  EVENT_COLUMNS,
  HOLDS,
  isCharged,
  LEASE_COLUMNS,
  lockUnits,
  RESULT_COLUMNS,
} from './record-rows.js';
import { AGAIN, RowSets } from '../row-set.js';
import { nudgeOf, toolNudgeOf, type UnitNudgeRow } from '../rows.js';
import { wakeSettled } from './wake.js';
import { SETTLED, settling } from './budget-sql.js';
import { openedSessions, SESSION_COLUMNS } from '../record/engagement-sessions.js';
import { copyAnswers, READ_COLUMNS, recordCalls, recordResults, RESULT_EVENTS } from './journal-sql.js';

/**
 * Ends many stages in one statement. The requests whose lease does not hold any more do not come back from it: each
 * of them is stale by itself.
 */
export const commitWrite: HotWrite<CommitRequest, CommitResult> = {
  statement: (requests) => commitStatement(new CommitRows(requests)),
  // A stage that was claimed by a commit may be asking already.
  goesFirst: true,
  // A call that waits may be on the record, and settled, already: that is looked up under the lock on its unit.
  within: {
    isNeeded: (requests) => requests.some(({ move }) => move.calls !== undefined),
    ask: async (tx, requests, rows) => [...rows, ...(await wakeAnswered(tx, requests, rows as Written[]))],
  },
  results: (requests, rows) => resultsOf(requests, rows as Written[]),
};

type Written =
  | ({ kind: 'unit'; i: number; nudged: boolean; epoch: number } & UnitNudgeRow)
  | { kind: 'call'; i: number; id: string; tool: string; lane: Lane; nudges: number };

async function wakeAnswered(
  tx: Queryable,
  requests: CommitRequest[],
  written: Written[],
): Promise<Written[]> {
  const inserted = (i: number): number => written.filter((row) => row.kind === 'call' && row.i === i).length;
  const asked = requests.flatMap(({ move: { calls, asks: question }, lease, stage = lease.stage }, i) => {
    if (calls === undefined || question !== undefined) return [];
    const isWaiting = calls.length === 0 || inserted(i) < calls.length;
    return isWaiting ? [{ ...lease, stage, i }] : [];
  });
  const woken = await wakeSettled(tx, asked);
  return woken.map((row) => ({ kind: 'unit', nudged: true, epoch: 0, ...row }));
}

function resultsOf(requests: CommitRequest[], written: Written[]): CommitResult[] {
  const nudges = new Map<number, Nudge[]>();
  for (const row of written) {
    const list = nudges.get(row.i) ?? [];
    nudges.set(row.i, list);
    if (row.kind === 'call') list.push(toolNudgeOf(row));
    else if (row.nudged) list.push(nudgeOf(row));
  }
  return requests.map(({ claimForMs }, i) => {
    const own = nudges.get(i);
    if (own === undefined) return { kind: 'stale' };
    const row = claimForMs === undefined ? undefined : written.find((it) => it.i === i);
    if (row?.kind !== 'unit') return { kind: 'committed', nudges: own };
    const { run_id: runId, unit, stage, round, epoch } = row;
    return { kind: 'committed', nudges: own, lease: { runId, unit, stage, round, epoch } };
  });
}

const MOVE_COLUMNS = `${LEASE_COLUMNS}, to_status text, to_stage text, to_round int, resume_in_ms float8, held boolean,
  nudged boolean, keeps_counts boolean, failed boolean, wait_step int, wait_signal text, open_units int, ends_at text,
  reason_code text, message text, at_stage text, claim_ms float8, shared_job uuid`;

// Crashes and failures of the lease's own stage are none of a stage that its worker went on to.
const KEEPS = 'q.keeps_counts and q.at_stage = q.stage';

// The fence: only rows whose lease still holds come out of `moved`, and everything else joins on it.
const moved = (source: string): string => `
  req as (select * from ${source}),
  locked as (${lockUnits('req', HOLDS, 'u.run_id, u.unit')}),
  moved as (
    update units u set status = q.to_status, stage = coalesce(q.to_stage, q.at_stage),
      round = coalesce(q.to_round, u.round), nudges = u.nudges + coalesce(q.nudged, false)::int,
      shared_job = case when u.lane = 'live' then q.shared_job end,
      epoch = u.epoch + (q.claim_ms is not null)::int, lease_until = now() + q.claim_ms * interval '1 ms',
      resume_at = now() + coalesce(q.claim_ms, q.resume_in_ms) * interval '1 ms', held = coalesce(q.held, false),
      crashes = case when ${KEEPS} then u.crashes else 0 end, first_crash_at = case when ${KEEPS} then u.first_crash_at end,
      failures = case when ${KEEPS} then u.failures else 0 end + coalesce(q.failed, false)::int,
      wait_step = q.wait_step, wait_signal = q.wait_signal, wait_over = false, open_units = coalesce(q.open_units, 0),
      left_at = case when q.failed then now() end, paused_ms = case when q.to_stage is null and q.at_stage = q.stage then u.paused_ms else 0 end,
      reason_code = q.reason_code, message = q.message
    from req q join locked l on l.run_id = q.run_id and l.unit = q.unit
    where ${HOLDS}
    returning q.i, coalesce(q.nudged, false) as nudged, q.ends_at, q.at_stage as done_stage, q.round as done_round,
      u.run_id, u.unit, u.case_id, u.lane, u.stage, u.round, u.nudges, u.epoch, u.shared_job)`;

// When a row's own stage ended.
const before = (row: string): string => `now() - coalesce(${row}.ago_ms, 0) * interval '1 ms'`;

const artifact = (source: string): string => `
  artifact as (
    insert into artifacts (run_id, unit, artifact, round, body, created_at)
    select m.run_id, m.unit, a.artifact, m.done_round, a.body, ${before('a')} from ${source} join moved m on m.i = a.i)`;

const awaitedCalls = (source: string): string => `
  call as (
    insert into tool_calls (id, run_id, unit, stage, round, step, seq, case_id, lane, tool, args, resume_at)
    select w.id, m.run_id, m.unit, m.done_stage, m.done_round, w.step, w.seq, m.case_id, m.lane, w.tool, w.args, ${AGAIN}
    from ${source} join moved m on m.i = w.i on conflict do nothing
    returning id, tool, lane, nudges, run_id, unit, step)`;

const ASK_COLUMNS = `i int, step int, name text, question text, options json, fallback text, timeout_ms float8`;

// What people are asked while units wait; what is on the record stays as it is.
const asks = (source: string): string => `
  asked as (
    insert into signals (run_id, unit, stage, round, step, case_id, name, question, options, fallback, until)
    select m.run_id, m.unit, m.done_stage, m.done_round, s.step, m.case_id, s.name, s.question, s.options, s.fallback,
      now() + s.timeout_ms * interval '1 ms'
    from ${source} join moved m on m.i = s.i on conflict do nothing)`;

const opened = (source: string): string => `
  opened as (
    insert into units (run_id, unit, case_id, lane, stage, round, resume_at)
    select m.run_id, o.unit, m.case_id, m.lane, o.stage, o.round, ${AGAIN} from ${source} join moved m on m.i = o.i
    on conflict (run_id, unit) do update set status = 'due', stage = excluded.stage, round = excluded.round,
      nudges = units.nudges + 1, resume_at = excluded.resume_at, held = false, crashes = 0, first_crash_at = null,
      failures = 0, wait_over = false, wait_step = null, left_at = null, paused_ms = 0, reason_code = null, message = null
    returning run_id, unit, stage, round, lane, nudges)`;

// Units that have done their part: the last of them makes the run's own unit due. The row is read again after
// any wait for its lock, so that of two that end at once one sees the other.
const JOINED = `
  joined as (
    update units u set open_units = u.open_units - f.n, round = greatest(u.round, f.round),
      status = case when u.open_units > f.n then u.status else 'due' end,
      stage = f.ends_at, nudges = u.nudges + (u.open_units <= f.n)::int,
      resume_at = case when u.open_units <= f.n then ${AGAIN} end
    from (select run_id, min(i) as i, count(*)::int as n, max(done_round) as round, min(ends_at) as ends_at
          from moved where ends_at is not null group by run_id) f
    where u.run_id = f.run_id and u.unit = '' and u.status = 'joining'
    returning f.i, u.run_id, u.unit, u.stage, u.round, u.lane, u.nudges, u.status)`;

const ended = (source: string): string => `
  ended as (
    select m.run_id, m.unit, m.case_id, e.* from ${source} join moved m on m.i = e.i),
  run as (
    update runs r set status = e.status, reason_code = e.reason_code, message = e.message,
      disposition = e.disposition, action = e.action, confidence = e.confidence, degraded = e.degraded,
      decided_at = case when e.status = 'decided' then now() end, ended_at = now()
    from ended e where r.id = e.run_id and (r.status = 'due'
      or (r.status in ('quarantined', 'parked') and e.status not in ('quarantined', 'parked')))),
  decided as (
    select case_id, array_agg(run_id) as runs, json_object_agg(run_id, disposition) as dispositions,
      json_object_agg(run_id, action) as actions from ended where status = 'decided' group by case_id),
  shown as (
    update cases c set updated_at = now(),
      status = case when c.status <> 'closed' and c.leading_run_id = any(d.runs) then 'decided' else c.status end,
      decided_at = case when c.leading_run_id = any(d.runs) then now() else c.decided_at end,
      disposition = case when c.newest_run_id = any(d.runs) then d.dispositions ->> c.newest_run_id::text
        else c.disposition end,
      action = case when c.newest_run_id = any(d.runs) then d.actions ->> c.newest_run_id::text else c.action end
    from decided d where c.id = d.case_id),
  halted as (
    update units u set status = 'stopped', epoch = u.epoch + 1, lease_until = null, resume_at = null
    from ended e where e.status = 'stopped' and u.run_id = e.run_id and u.unit <> e.unit
      and u.status not in ('finished', 'decided', 'stopped'))`;
const END_COLUMNS = `i int, status text, reason_code text, message text, disposition text, action text,
  confidence float8, degraded boolean`;

const delivery = (source: string): string => `
  delivery as (insert into deliveries (id, run_id) select d.id, m.run_id from ${source} join moved m on m.i = d.i)`;

const told = (source: string, withResults: boolean): string => `
  told as (
    insert into events (type, case_id, run_id, data, at)
    select t.type, m.case_id, m.run_id, t.data, ${before('t')}
    from (select v.i, v.n, v.type, v.data, v.ago_ms from ${source}
      ${withResults ? `union all select e.*, null from (${RESULT_EVENTS}) e` : ''}) t
    join moved m on m.i = t.i order by t.i, t.n)`;

const UNIT = `'unit' as kind, i, run_id, unit, stage, round, lane, nudges`;

/** One statement for a batch of commits, made of only the parts that the batch needs. */
function commitStatement(rows: CommitRows): Statement {
  const sets = new RowSets();
  const parts = [moved(sets.add('q', MOVE_COLUMNS, rows.moves))];
  const out = [`select ${UNIT}, nudged, null::uuid as id, null as tool, epoch, shared_job from moved`];
  const withResults = rows.results.length > 0;
  if (withResults) parts.push(recordResults(sets.add('p', RESULT_COLUMNS, rows.results), 'moved'));
  if (rows.results.some(isCharged)) parts.push(settling('result'), SETTLED);
  const add = (set: object[], part: (source: string) => string, name: string, columns: string): boolean => {
    if (set.length > 0) parts.push(part(sets.add(name, columns, set)));
    return set.length > 0;
  };
  add(rows.artifacts, artifact, 'a', 'i int, artifact text, body json, ago_ms float8');
  add(rows.inlineCalls, (source) => recordCalls(source, 'moved'), 'c', CALL_COLUMNS);
  add(rows.reads, (source) => copyAnswers(source, 'moved'), 'd', READ_COLUMNS);
  if (add(rows.awaitedCalls, awaitedCalls, 'w', 'i int, id uuid, step int, seq int, tool text, args json')) {
    out.push(`select 'call', m.i, c.run_id, c.unit, null, c.step, c.lane, c.nudges, true, c.id, c.tool, 0, null
      from call c join moved m on m.run_id = c.run_id and m.unit = c.unit`);
  }
  add(rows.asks, asks, 's', ASK_COLUMNS);
  if (add(rows.opened, opened, 'o', 'i int, unit text, stage text, round int')) {
    out.push(`select 'unit', m.i, o.run_id, o.unit, o.stage, o.round, o.lane, o.nudges, true, null, null, 0, null
      from opened o join moved m on m.run_id = o.run_id and m.unit = ''`);
  }
  if (rows.moves.some((move) => move.endsAt !== undefined)) {
    parts.push(JOINED);
    out.push(`select ${UNIT}, true, null, null, 0, null from joined where status = 'due'`);
  }
  add(rows.ends, ended, 'e', END_COLUMNS);
  add(rows.deliveries, delivery, 'd', 'i int, id text');
  add(rows.sessions, openedSessions, 's', SESSION_COLUMNS);
  parts.push(told(sets.add('v', EVENT_COLUMNS, rows.events), withResults));
  return { text: `with ${parts.join(',')}\n${out.join('\nunion all ')}`, params: sets.params };
}
