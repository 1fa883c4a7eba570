import {
  MOST_MEMBERS,
  type Batch,
  type AppliedMember,
  type BatchAct,
  type BatchAsk,
  type BatchAtWork,
  type Batches,
  type BatchMember,
  type BatchState,
  type MemberToApply,
  type Picked,
  type RunBase,
  type RunSettings,
  type RunStatus,
  type WaitingMember,
} from '@casefile/contracts';
import { alertOf, type AlertParts } from '../hot/alert-parts.js';
import type { Database, Queryable } from '../database.js';
import { isUuid, RowSets } from '../row-set.js';
import { iso, isoOrNull } from '../rows.js';
import { encode } from '../storable.js';
import { instantOf } from './cursor.js';
import { dropDeadLetters, redriveRuns } from './dead-letters.js';
import {
  APPLIED_SESSION_COLUMNS,
  applyStatement,
  batchesWhere,
  createStatement,
  DEGRADED_SINCE,
  ESTIMATE,
  FINISH,
  HELD_RUNS,
  LEFT,
  MARK,
  MEMBER_COLUMNS,
  MEMBERS,
  MOVE,
  PICK,
  RUN_BASE,
  SETTLE,
  TO_APPLY,
  WAITING,
} from './batch-sql.js';

interface BatchRow {
  id: string;
  state: BatchState;
  ask: BatchAsk;
  budget_usd: number | null;
  estimate_usd: number;
  total: number;
  reason: string | null;
  created_at: Date;
  done_at: Date | null;
  ended_at: Date | null;
  worked_ms: number;
  done: number;
  open: number;
  waiting: number;
  held: number;
  flipped: number;
  twice: number;
  unsteady: number;
  identical: number;
  labelled: number;
  right_before: number;
  right_now: number;
  failed: number;
  applied: number;
  overtaken: number;
  cost_usd: number;
  /** Cases that ended of late, and in how many seconds; null: none has yet. */
  recent: number;
  recent_s: number | null;
}

/** Which state an act leads to, and from which. */
const ACTS: Record<BatchAct, { to: BatchState; from: BatchState[] }> = {
  pause: { to: 'paused', from: ['running'] },
  resume: { to: 'running', from: ['paused'] },
  apply: { to: 'applying', from: ['done'] },
  discard: { to: 'discarded', from: ['done', 'paused', 'running'] },
};

/** Batches in Postgres: what is done of them is on their rows alone, so that any process goes on with them. */
export function postgresBatches(database: Database): Batches {
  const move = (id: string, to: BatchState, from: BatchState[], reason: string | null) =>
    moveBatch(database, id, { to, from }, reason);
  return {
    runBase: (of) => runBase(database, of),
    pick: (ask) => pickCases(database, ask),
    create: (batch) => createBatch(database, batch),
    list: async (limit) =>
      (await batchRows(database, `true order by b.created_at desc, b.id limit ${limit}`)).map(batchOf),
    get: async (id) => {
      if (!isUuid(id)) return null;
      const [row] = await batchRows(database, 'b.id = $1', [id]);
      return row === undefined ? null : batchOf(row);
    },
    members: async (id, limit, offset) => {
      const [{ total } = { total: 0 }] = isUuid(id)
        ? await database.rows<{ total: number }>('select total from batches where id = $1', [id])
        : [];
      const members = total === 0 ? [] : await database.rows<BatchMember>(MEMBERS, [id, limit, offset]);
      return { members, total };
    },
    atWork: async () => {
      await database.rows(SETTLE);
      await database.rows(FINISH);
      const where = `b.state in ('running', 'applying') order by b.created_at, b.id`;
      return (await batchRows(database, where)).map(atWork);
    },
    waitingMembers: (id, limit) => database.rows<WaitingMember>(WAITING, [id, limit]),
    markOpened: async (id, positions, failed) =>
      void (await database.rows(MARK, [id, positions, encode(failed)])),
    budget: async (id) => {
      const rows = isUuid(id)
        ? await database.rows<{ usd: number | null }>('select budget_usd as usd from batches where id = $1', [
            id,
          ])
        : [];
      return rows[0]?.usd ?? null;
    },
    hold: async (id, reason) => void (await move(id, 'paused', ['running'], reason)),
    act: async (id, act, budgetUsd) => {
      if (!isUuid(id) || (await batchRows(database, 'b.id = $1', [id])).length === 0) return null;
      return database.transaction((tx) => actOn(tx, id, act, budgetUsd));
    },
    membersToApply: (id, limit) => database.rows<MemberToApply>(TO_APPLY, [id, limit]),
    applyMembers: async (id, members) => {
      if (members.length > 0) await apply(database, id, members);
      const [{ n } = { n: 0 }] = await database.rows<{ n: number }>(LEFT, [id]);
      if (n === 0) await move(id, 'applied', ['applying'], null);
    },
    degradedSince: async (since) => {
      const [row] = await database.rows<{ n: number }>(DEGRADED_SINCE, [instantOf('since', since)]);
      return row?.n ?? 0;
    },
  };
}

async function moveBatch(
  database: Queryable,
  id: string,
  { to, from }: (typeof ACTS)[BatchAct],
  reason: string | null = null,
  budgetUsd: number | null = null,
): Promise<boolean> {
  return (await database.rows(MOVE, [id, to, from, reason, budgetUsd])).length > 0;
}

// At once with its runs: a driver must not find them waiting still.
async function actOn(
  tx: Queryable,
  id: string,
  act: BatchAct,
  budgetUsd: number | undefined,
): Promise<boolean> {
  if (!(await moveBatch(tx, id, ACTS[act], null, budgetUsd))) return false;
  const held = (await tx.rows<{ id: string }>(HELD_RUNS, [id])).map((run) => run.id);
  if (act === 'resume') await redriveRuns(tx, held);
  if (act === 'discard') await dropDeadLetters(tx, held);
  return true;
}

interface BaseRow {
  run_id: string;
  case_id: string;
  playbook: string;
  status: RunStatus;
  settings: RunSettings;
  alert: AlertParts;
}

async function runBase(
  database: Database,
  { caseId, runId = null }: { caseId: string; runId?: string | null },
): Promise<RunBase | null> {
  if (!isUuid(caseId) || (runId !== null && !isUuid(runId))) return null;
  const [row] = await database.rows<BaseRow>(RUN_BASE, [caseId, runId]);
  if (row === undefined) return null;
  const { playbook, status, settings, alert } = row;
  return { runId: row.run_id, caseId: row.case_id, playbook, status, settings, alert: alertOf(alert) };
}

async function pickCases(database: Database, ask: BatchAsk): Promise<Picked> {
  const { caseIds = null, dataset = null, degradedSince, filter = {}, lane } = ask;
  const at = (field: string, text: string | undefined) =>
    text === undefined ? null : instantOf(field, text);
  const members = await database.rows<Picked['members'][number]>(PICK, [
    caseIds,
    dataset,
    at('degradedSince', degradedSince),
    filter.playbook ?? null,
    filter.disposition ?? null,
    filter.action ?? null,
    filter.method ?? null,
    filter.degraded ?? null,
    at('filter.from', filter.from),
    at('filter.to', filter.to),
    MOST_MEMBERS,
  ]);
  if (lane === 'replay' || members.length === 0) return { members, estimateUsd: 0 };
  const [estimate] = await database.rows<{ usd: number }>(ESTIMATE, [
    members.map(({ baseRunId }) => baseRunId),
  ]);
  return { members, estimateUsd: estimate?.usd ?? 0 };
}

async function createBatch(
  database: Database,
  { id, ask, estimateUsd, members }: Parameters<Batches['create']>[0],
): Promise<void> {
  const sets = new RowSets();
  const { ratePerSecond = null, budgetUsd = null } = ask;
  const batch = [id, encode(ask), ratePerSecond, budgetUsd, estimateUsd, members.length];
  const rows = members.map((member, position) => ({ position, ...member }));
  const source = sets.add('m', MEMBER_COLUMNS, rows).replace('$1', `$${batch.length + 1}`);
  await database.rows(createStatement(source), [...batch, ...sets.params]);
}

async function apply(database: Database, id: string, members: readonly AppliedMember[]): Promise<void> {
  const sets = new RowSets();
  const sessions = members.flatMap(({ position, effects }) =>
    effects.map(({ kind: _, ...session }) => ({ position, ...session })),
  );
  const source = sets.add('s', APPLIED_SESSION_COLUMNS, sessions).replace('$1', '$3');
  const positions = members.map(({ position }) => position);
  await database.rows(applyStatement(source), [id, positions, ...sets.params]);
}

function batchRows(database: Database, where: string, params: unknown[] = []): Promise<BatchRow[]> {
  return database.rows<BatchRow>(batchesWhere(where), params);
}

function batchOf(row: BatchRow): Batch {
  const {
    id,
    state,
    reason,
    total,
    done,
    open,
    flipped,
    failed,
    applied,
    overtaken,
    worked_ms: workedMs,
  } = row;
  const { budget_usd: budgetUsd } = row;
  const rate = done === 0 || workedMs <= 0 ? null : (done / workedMs) * 1000;
  const left = total - done;
  const pace = row.recent > 1 && (row.recent_s ?? 0) > 0 ? (row.recent - 1) / row.recent_s! : rate;
  return {
    id,
    state,
    reason,
    // What it may cost can have been raised since.
    ask: { ...row.ask, ...(budgetUsd === null ? {} : { budgetUsd }) },
    total,
    done,
    open,
    flipped,
    twice: row.twice,
    unsteady: row.unsteady,
    identical: row.identical,
    labelled: row.labelled,
    rightBefore: row.right_before,
    rightNow: row.right_now,
    failed,
    applied,
    overtaken,
    costUsd: row.cost_usd,
    estimateUsd: row.estimate_usd,
    ratePerSecond: rate,
    etaSeconds: left === 0 ? 0 : pace === null || state !== 'running' ? null : Math.ceil(left / pace),
    createdAt: iso(row.created_at),
    doneAt: isoOrNull(row.done_at),
    endedAt: isoOrNull(row.ended_at),
  };
}

function atWork(row: BatchRow): BatchAtWork {
  const { id, state, waiting, open, held, done, cost_usd: costUsd, total, estimate_usd: estimateUsd } = row;
  const ask = batchOf(row).ask;
  const estimated = total === 0 ? 0 : estimateUsd / total;
  const expectedUsd = done === 0 ? estimated : Math.max(costUsd / done, costUsd === 0 ? estimated : 0);
  return { id, state: state as BatchAtWork['state'], ask, waiting, open, held, done, costUsd, expectedUsd };
}
