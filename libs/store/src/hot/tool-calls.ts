import {
  boundValue,
  boundedText,
  judgeCall,
  storableJson,
  type Interaction,
  type InteractionResult,
  type NewEvent,
  type Nudge,
  type RunSettings,
  type ToolCall,
  type ToolCallMore,
  type ToolCalls,
  type ToolClaimResult,
  type ToolLease,
  type ToolSettlement,
} from '@casefile/contracts';
import { SETTLED, settling } from './budget-sql.js';
import { AMBIGUOUS_OF_CALL } from './claim-sql.js';
import { together, type Database, type Queryable } from '../database.js';
import { assignments, tableColumns, insertInto, type RowFrom } from '../columns.js';
import { RECORD_RESULTS, RESULT_EVENTS } from './journal-sql.js';
import { eventOfCall, isCharged, RESULTS, resultRow } from './record-rows.js';
import { NEXT_CHECK_AT, isUuid, rowSet, WithClause } from '../row-set.js';
import {
  interactionOf,
  nudgeColumns,
  rowNudge,
  toolCallOf,
  toolNudgeColumns,
  toolNudgeOf,
  type ToolNudgeRow,
  type UnitNudgeRow,
} from '../rows.js';
import { lostAfter, numberLeases } from './units.js';
import { wakeSettled } from './wake.js';

interface ToolCallRow
  extends UnitNudgeRow, RowFrom<'tool_calls', 'id' | 'attempts' | 'case_id' | 'epoch' | 'crashes'> {
  state: ToolCall['state'];
  lease_live: boolean;
  unit_status: string;
  unit_stage: string;
  unit_round: number;
  settings: RunSettings;
  trace: string | null;
  /** Model calls of this tool call without a recorded end. */
  asking: string[];
}

// Locks the unit before the call. All writers of both use this order.
const LOCK_UNIT_OF = `select u.run_id, u.unit from units u join tool_calls t on t.run_id = u.run_id and t.unit = u.unit
  where t.id = $1 for no key update of u`;
const READ_CALL = `
  select t.*, coalesce(t.lease_until > now(), false) as lease_live, u.status as unit_status, u.stage as unit_stage,
    u.round as unit_round, r.settings, r.trace, array(
      select x.id from llm_interactions x where x.run_id = t.run_id and x.unit = t.unit and x.stage = t.stage
        and x.round = t.round and x.tool_call_id = t.id and x.state = 'pending') as asking
  from tool_calls t join units u on u.run_id = t.run_id and u.unit = t.unit join runs r on r.id = t.run_id
  where t.id = $1 for no key update of t`;
const TAKE_CALL = `
  update tool_calls t
  set ${assignments('tool_calls', {
    state: "'running'",
    epoch: 't.epoch + 1',
    crashes: '$3',
    lease_until: "now() + $2::float8 * interval '1 ms'",
    resume_at: "now() + $2::float8 * interval '1 ms'",
  })}
  where t.id = $1 returning t.*`;
const SETTLE_CALL = `
  update tool_calls t
  set ${assignments('tool_calls', {
    state: '$2',
    result: '$3::json',
    source: '$4',
    reason_code: '$5',
    message: '$6',
    duration_ms: '$7',
    attempts: '$8',
    lease_until: 'null',
    resume_at: 'null',
    settled_at: 'now()',
    epoch: 't.epoch + $9',
  })}
  where t.id = $1 returning t.*`;
// Sorted by step and attempt. The filter begins with the stage key, because the index does.
const ASKED = `
  select x.* from llm_interactions x where x.run_id = $1 and x.unit = $2 and x.stage = $3 and x.round = $4
    and x.tool_call_id = $5 order by x.step, x.attempt`;
const NOTHING_MORE: ToolCallMore = { results: [], events: [] };
const TELL = insertInto('events', { type: '$1', case_id: '$2::uuid', run_id: '$3::uuid', data: '$4::json' });
const UNTIL = `now() + $1::float8 * interval '1 ms'`;

const LEASES = rowSet('request_rows', { i: 'int', tool_call_id: 'uuid', epoch: 'int' });
const LOCKED_CALLS = `locked as (
    select t.id from tool_calls t join request_rows q on t.id = q.tool_call_id order by t.id for no key update of t)`;
const RENEW_CALLS = `
  update tool_calls t set ${assignments('tool_calls', { lease_until: UNTIL, resume_at: UNTIL })}
  from request_rows q join locked l on l.id = q.tool_call_id
  where t.id = q.tool_call_id and t.epoch = q.epoch and t.state = 'running' returning q.i`;

const RELEASE_CALL = `
  update tool_calls t
  set ${assignments('tool_calls', {
    state: "'pending'",
    nudges: 't.nudges + 1',
    lease_until: 'null',
    resume_at: NEXT_CHECK_AT,
  })}
  where t.id = $1 and t.epoch = $2 and t.state = 'running' returning ${toolNudgeColumns('t')}`;

/** Tool calls that run as separate jobs, in Postgres. */
export class PostgresToolCalls implements ToolCalls {
  constructor(private readonly database: Database) {}

  async claim(id: string, leaseMs: number): Promise<ToolClaimResult> {
    if (!isUuid(id)) return { kind: 'refused', reason: 'unknown', nudges: [] };
    return this.database.transaction((tx) => claim(tx, id, leaseMs));
  }

  renew(leases: ToolLease[], leaseMs: number): Promise<ToolLease[]> {
    const statement = new WithClause(leaseMs).rows(LEASES, numberLeases(leases), LOCKED_CALLS);
    return lostAfter(this.database, leases, statement.statement(RENEW_CALLS));
  }

  // Holds the lock of the call's unit, and wakes the unit if all calls of the step have ended.
  settle(
    lease: ToolLease,
    settlement: ToolSettlement,
    more: ToolCallMore = NOTHING_MORE,
  ): ReturnType<ToolCalls['settle']> {
    return this.database.transaction(async (tx) => {
      const row = await lockAndRead(tx, lease.toolCallId);
      if (row === undefined || row.epoch !== lease.epoch || row.state !== 'running')
        return { kind: 'stale', nudges: [] };
      return { kind: 'settled', nudges: await settle(tx, row, settlement, more, 0) };
    });
  }

  async release({ toolCallId, epoch }: ToolLease): Promise<Nudge[]> {
    return (await this.database.rows<ToolNudgeRow>(RELEASE_CALL, [toolCallId, epoch])).map(toolNudgeOf);
  }
}

// Settles a call instead of claiming it if it crashed its workers too often or if no stage waits for it.
async function claim(tx: Queryable, id: string, leaseMs: number): Promise<ToolClaimResult> {
  const row = await lockAndRead(tx, id);
  if (row === undefined) return { kind: 'refused', reason: 'unknown', nudges: [] };
  const unit = { status: row.unit_status, stage: row.unit_stage, round: row.unit_round };
  const judgement = judgeCall({ ...row, leaseLive: row.lease_live }, unit);
  if (judgement.kind === 'refuse') {
    const nudges = judgement.reason === 'settled' ? await dueUnit(tx, row) : [];
    return { kind: 'refused', reason: judgement.reason, nudges };
  }
  if (judgement.kind === 'give-up') {
    const nudges = await settle(tx, row, judgement.settlement, NOTHING_MORE, 1);
    return { kind: 'refused', reason: 'settled', nudges };
  }
  const taking = tx.rows<ToolCallRow>(TAKE_CALL, [id, leaseMs, judgement.crashes]);
  const [[taken], interactions] = await together(taking, askedBefore(tx, row));
  const call = toolCallOf(taken!);
  const lease = { toolCallId: id, epoch: taken!.epoch };
  const { case_id: caseId, lane, settings, trace } = row;
  return { kind: 'claimed', lease, call, caseId, interactions, lane, settings, trace };
}

/**
 * Sends both statements together. The read is a separate statement, so that it sees writes committed before
 * the lock was granted.
 */
async function lockAndRead(tx: Queryable, id: string): Promise<ToolCallRow | undefined> {
  const [, [row]] = await together(tx.rows(LOCK_UNIT_OF, [id]), tx.rows<ToolCallRow>(READ_CALL, [id]));
  return row;
}

async function askedBefore(tx: Queryable, row: ToolCallRow): Promise<Interaction[]> {
  const { run_id, unit, stage, round, id } = row;
  const ending = row.asking.length > 0 ? endAsking(tx, row) : [];
  const [, pending] = await together(ending, tx.rows(ASKED, [run_id, unit, stage, round, id]));
  return pending.map(interactionOf);
}

function endAsking(tx: Queryable, row: ToolCallRow): Promise<object[]> {
  const { run_id, unit, stage, round, case_id, id } = row;
  return tx.rows(AMBIGUOUS_OF_CALL, [run_id, unit, stage, round, case_id, id]);
}

const HELD = rowSet('held', { i: 'int', ...tableColumns('tool_calls', 'run_id', 'case_id') });
const REPORT_RESULTS = `
  ${insertInto('events', { type: 't.type', case_id: 'h.case_id', run_id: 'h.run_id', data: 't.data' })}
  from (${RESULT_EVENTS}) t join held h on h.i = t.i order by t.n`;

function record(tx: Queryable, row: ToolCallRow, results: InteractionResult[]): Promise<object[]> {
  const rows = results.map((result) => resultRow(0, result));
  const { run_id: runId, case_id: caseId } = row;
  const parts = new WithClause().rows(HELD, [{ i: 0, runId, caseId }]).rows(RESULTS, rows, RECORD_RESULTS);
  if (rows.some(isCharged)) parts.add(settling('result'), SETTLED);
  const { text, params } = parts.statement(REPORT_RESULTS);
  return tx.rows(text, params);
}

// Independent statements are sent together, in order, so that the unit's lock is held for one round trip
// only.
async function settle(
  tx: Queryable,
  row: ToolCallRow,
  settlement: ToolSettlement,
  { results, events }: ToolCallMore,
  raise: 0 | 1,
): Promise<Nudge[]> {
  const { state, source, reasonCode, durationMs, attempts } = settlement;
  const result = storableJson(boundValue(settlement.result));
  const texts = JSON.parse(storableJson([source, reasonCode, boundedText(settlement.message)])) as (
    string | null
  )[];
  const { stage, round, unit } = row;
  const callEvent = eventOfCall(
    { stage, round, unit },
    { ...toolCallOf(row), state, reasonCode, durationMs },
  );
  const written = [
    ...(results.length > 0 ? [record(tx, row, results)] : []),
    ...events.map((event) => addEvent(tx, row, event)),
    ...(row.asking.every((id) => results.some((one) => one.id === id)) ? [] : [endAsking(tx, row)]),
    tx.rows(SETTLE_CALL, [row.id, state, result, ...texts, durationMs, attempts, raise]),
    addEvent(tx, row, callEvent),
  ];
  const waking = wakeSettled(tx, [{ i: 0, runId: row.run_id, unit, stage, round }]);
  const [, woken] = await together(together(...written), waking);
  return woken.map(rowNudge);
}

function addEvent(tx: Queryable, row: ToolCallRow, { type, data }: NewEvent): Promise<object[]> {
  return tx.rows(TELL, [type, row.case_id, row.run_id, storableJson(data)]);
}

// The unit is looked up again, because the answer to an earlier settlement may have been lost before it was
// woken.
async function dueUnit(tx: Queryable, row: ToolCallRow): Promise<Nudge[]> {
  const units = await tx.rows<UnitNudgeRow>(
    `select ${nudgeColumns('')} from units
     where run_id = $1 and unit = $2 and stage = $3 and round = $4 and status = 'due' and not held`,
    [row.run_id, row.unit, row.stage, row.round],
  );
  return units.map(rowNudge);
}
