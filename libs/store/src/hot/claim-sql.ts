import { LONGEST_PAUSE_MS } from '@casefile/contracts';
import { SETTLED, settling } from './budget-sql.js';
import { callFacts, interactionFacts } from './journal-sql.js';
import { lockUnits } from './record-rows.js';
import { assignments, tableColumns, columnList } from '../columns.js';
import { msOf, rowSet } from '../row-set.js';
import { nudgeColumns, toolNudgeColumns } from '../rows.js';

/** Requests to claim. */
export const CLAIMS = rowSet('request_rows', {
  i: 'int',
  ...tableColumns('units', 'run_id', 'unit', 'stage', 'round'),
  reads_alert: 'boolean',
  names: 'text[]',
  joins: 'boolean',
  lease_ms: 'int',
  crashes_below: 'int',
});

// Columns with the input of a stage, for each row of `work`. The claim and the later load both use them.
const loadedWaitSignal = (waitSignal: string): string => `
  r.settings, r.trace,
  case when w.reads_alert then (select row_to_json(a) from alerts a where a.id = r.alert_id) end as alert,
  case when cardinality(w.names) > 0 then (
    select json_agg(json_build_object('unit', a.unit, 'artifact', a.artifact, 'round', a.round, 'body', a.body) order by a.round)
    from artifacts a
    where a.run_id = w.run_id and a.artifact = any(w.names) and (w.joins or a.unit in (w.unit, ''))) end as artifacts,
  case when w.joins then (
    select json_agg(s.unit order by s.unit) from units s where s.run_id = w.run_id and s.unit <> '') end as units,
  calls_of_step(w.run_id, w.unit, w.stage, w.round) as interactions,
  (select json_agg(row_to_json(t) order by t.step, t.seq) from tool_calls t
    where t.run_id = w.run_id and t.unit = w.unit and t.stage = w.stage and t.round = w.round) as tool_calls,
  case when ${waitSignal} is not null then (
    select json_agg(row_to_json(s) order by s.step) from signals s
    where s.run_id = w.run_id and s.unit = w.unit and s.stage = w.stage and s.round = w.round) end as signals`;

const FACTS = ['epoch', 'case_id', 'lane', 'crashes', 'failures', 'wait_over', 'paused_ms'] as const;
const UNIT_FACTS = columnList('units', 'u', ...FACTS);

const PAUSED = `least(${LONGEST_PAUSE_MS}, u.paused_ms
  + greatest(0, coalesce(floor(extract(epoch from now() - u.left_at) * 1000), 0)))`;

const DUE = `u.status = 'due' and u.stage = q.stage and u.round = q.round
  and (not u.held or u.resume_at <= now()) and u.crashes < q.crashes_below`;

/**
 * Claims and loads units that are due. A unit with an expired lease, an ended wait, an abandoned stage or a
 * last attempt returns no row and is decided separately. Every statement locks rows in the same order.
 * `seen_epoch` is the epoch in this statement's snapshot. If the claim waited for another writer, the loaded
 * data may be outdated and is loaded again.
 */
export const LOCK_DUE = `locked as (${lockUnits(DUE, 'u.run_id, u.unit')}),
  work as (
    update units u
    set ${assignments('units', {
      status: "'running'",
      epoch: 'u.epoch + 1',
      held: 'false',
      paused_ms: PAUSED,
      left_at: 'null',
      lease_until: "now() + q.lease_ms * interval '1 ms'",
      resume_at: "now() + q.lease_ms * interval '1 ms'",
    })}
    from request_rows q join locked l on l.run_id = q.run_id and l.unit = q.unit
    where u.run_id = q.run_id and u.unit = q.unit and ${DUE}
    returning q.*, u.wait_signal, ${UNIT_FACTS})`;
export const CLAIM_DUE = `
  select w.i, ${columnList('units', 'w', ...FACTS)},
    (select s.epoch from units s where s.run_id = w.run_id and s.unit = w.unit) as seen_epoch, ${loadedWaitSignal('w.wait_signal')}
  from work w join runs r on r.id = w.run_id`;

/** Loads the input of claimed units, in the order of the requests. */
export const LOAD_CLAIMED = `
  select w.i, ${UNIT_FACTS}, u.epoch - 1 as seen_epoch, ${loadedWaitSignal('u.wait_signal')}
  from request_rows w join units u on u.run_id = w.run_id and u.unit = w.unit join runs r on r.id = w.run_id`;

/**
 * Marks the pending model calls of a stage key ($1 to $4) that match `whose` as ambiguous. Their results are
 * unknown, so their budgets are charged the worst case. $5 is the case.
 */
const ambiguous = (whose: string): string => `
  with left_open as (
    update llm_interactions x set state = 'ambiguous', completed_at = now()
    where x.run_id = $1 and x.unit = $2 and x.stage = $3 and x.round = $4 and x.state = 'pending' and ${whose}
    returning x.*),
  ${settling('(select 0 as i, reservations from left_open)', { usd: 'null::bigint', tokens: 'null::bigint' })},
  ${SETTLED}
  insert into events (type, case_id, run_id, data)
  select 'interaction.completed', $5::uuid, x.run_id, ${interactionFacts('x')} from left_open x order by x.step, x.attempt`;

/**
 * Marks the stage's own model calls and those of its ended tool calls. A running tool call has a separate
 * lease, so its calls stay pending.
 */
export const AMBIGUOUS_INTERACTIONS = ambiguous(`(x.tool_call_id is null or exists (
  select from tool_calls t where t.id = x.tool_call_id and t.state not in ('pending', 'running')))`);
/** Marks the model calls of the tool call $6. */
export const AMBIGUOUS_OF_CALL = ambiguous('x.tool_call_id = $6');

/**
 * Ends the open tool calls of the step that a unit waited for, under the unit's lock. Raising their epoch
 * prevents a worker that still runs one from writing its result.
 */
export const SETTLE_LATE = `
  with late as (
    update tool_calls t set state = 'failed', reason_code = $3, message = $4, epoch = t.epoch + 1, lease_until = null,
      resume_at = null, settled_at = now()
    from units u
    where u.run_id = $1 and u.unit = $2 and t.run_id = u.run_id and t.unit = u.unit and t.stage = u.stage
      and t.round = u.round and t.step = u.wait_step and t.state in ('pending', 'running')
    returning t.*)
  insert into events (type, case_id, run_id, data)
  select 'tool-call.completed', t.case_id, t.run_id, ${callFacts('t')} from late t order by t.seq`;

/** The facts that decide a claim, under the names of `UnitState`. */
export const LOCK_UNIT = `
  select u.case_id as "caseId", (select c.playbook from cases c where c.id = u.case_id) as playbook,
    u.status, u.stage, u.round, u.epoch, ${msOf('u.lease_until')} as "leaseUntil",
    ${msOf('u.resume_at')} as "resumeAt", u.held, u.crashes, ${msOf('u.first_crash_at')} as "firstCrashAt",
    u.wait_over as "waitOver", ${msOf('u.left_at')} as "leftAt", u.paused_ms as "pausedMs", ${msOf('now()')} as now
  from units u where u.run_id = $1 and u.unit = $2 for no key update`;

export const RETAKE_UNIT = `
  update units u
  set ${assignments('units', {
    status: "'running'",
    epoch: 'u.epoch + 1',
    held: 'false',
    crashes: '$3',
    first_crash_at: 'to_timestamp($4::float8 / 1000)',
    wait_over: '$5',
    paused_ms: '$7',
    left_at: 'null',
    lease_until: "now() + $6::int * interval '1 ms'",
    resume_at: "now() + $6::int * interval '1 ms'",
  })}
  where u.run_id = $1 and u.unit = $2`;

/** Counts the crash that a claim detected, and makes the unit due after $5 milliseconds. */
export const HOLD_UNIT = `
  update units u
  set ${assignments('units', {
    status: "'due'",
    epoch: 'u.epoch + 1',
    held: 'true',
    crashes: '$3',
    shared_job: 'null',
    first_crash_at: 'to_timestamp($4::float8 / 1000)',
    wait_over: '$6',
    paused_ms: '$7',
    left_at: 'now()',
    nudges: 'u.nudges + 1',
    lease_until: 'null',
    resume_at: "now() + $5::float8 * interval '1 ms'",
  })}
  where u.run_id = $1 and u.unit = $2`;

export const QUARANTINE_UNIT = `
  with unit as (
    update units u
    set ${assignments('units', {
      status: "'quarantined'",
      epoch: 'u.epoch + 1',
      lease_until: 'null',
      resume_at: 'null',
      held: 'false',
      crashes: '$3',
      reason_code: '$4',
      message: '$5',
    })}
    where u.run_id = $1 and u.unit = $2 returning u.*),
  run as (
    update runs r set status = 'quarantined', reason_code = $4, message = $5, ended_at = now()
    from unit u where r.id = u.run_id and r.status = 'due')
  insert into events (type, case_id, run_id, data)
  select 'run.quarantined', u.case_id, u.run_id, json_build_object('stage', u.stage, 'round', u.round, 'unit', u.unit,
    'reasonCode', u.reason_code, 'message', u.message, 'crashes', u.crashes) from unit u`;

/**
 * Lists the jobs to send again for a run: one per due unit, and one per open tool call that a unit waits for.
 */
export const DUE_UNITS = `
  select ${nudgeColumns('')} from units
  where run_id = $1 and status = 'due' and not held order by unit`;
export const AWAITED_CALLS = `
  select ${toolNudgeColumns('t')} from tool_calls t join units u on u.run_id = t.run_id and u.unit = t.unit
  where u.run_id = $1 and u.unit = $2 and u.status = 'suspended' and t.stage = u.stage and t.round = u.round
    and t.step = u.wait_step and t.state = 'pending' order by t.seq`;
