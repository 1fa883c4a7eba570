import {
  batchSchema,
  batchExpectedUsd,
  MOST_ASK_IDS,
  MOST_MEMBERS,
  batchPace,
  storableJson,
  type Batch,
  type BatchAct,
  type BatchAsk,
  type BatchAtWork,
  type Batches,
  type BatchMember,
  type BatchState,
  type MemberToApply,
  type MemberToCompare,
  type BatchSelection,
  type RunBase,
  type WaitingMember,
} from '@casefile/contracts';
import { alertOf, type AlertParts } from '../hot/alert-parts.js';
import type { Database, Queryable } from '../database.js';
import { isUuid, WithClause } from '../row-set.js';
import { recordOfSchema, recordOf } from '../rows.js';
import { instantOf, lastInstantOf } from './cursor.js';
import { dropDeadLetters, redriveRuns } from './dead-letters.js';
import {
  applyMembers,
  chooseMembers,
  LEFT,
  MARK_COMPARED,
  previewMembers,
  TO_APPLY,
  TO_COMPARE,
} from './apply-batch.js';
import * as sql from './batch-sql.js';

const countedOf = recordOfSchema(batchSchema.omit({ ask: true, ratePerSecond: true, etaSeconds: true }));

interface BatchRow {
  ask: BatchAsk;
  budget_usd: number | null;
  worked_ms: number;
  waiting: number;
  held: number;
  /** Number of cases that ended recently. `recent_s`: the seconds they took, or null if none has ended. */
  recent: number;
  recent_s: number | null;
}

/** A state transition: the new state and the permitted old states. */
type BatchTransition = { to: BatchState; from: BatchState[] };
const HOLD: BatchTransition = { to: 'paused', from: ['running'] };
const APPLIED: BatchTransition = { to: 'applied', from: ['applying'] };
const ACTS: Record<BatchAct, BatchTransition> = {
  pause: HOLD,
  resume: { to: 'running', from: ['paused'] },
  apply: { to: 'applying', from: ['done'] },
  // While a batch is applied, its verdicts may wait for a kind that is no longer installed.
  discard: { to: 'discarded', from: ['done', 'paused', 'running', 'applying'] },
};

const baseOf = recordOf<Omit<RunBase, 'alert'>>()([
  'runId',
  'caseId',
  'playbook',
  'status',
  'settings',
  'erasedAt',
]);

/**
 * Batches in Postgres. The progress of a batch is stored only in its rows, so that any process can continue
 * it.
 */
export function postgresBatches(database: Database): Batches {
  const batchesWhere = (where: string, params: unknown[] = []): Promise<BatchRow[]> =>
    database.rows<BatchRow>(sql.batchesWhere(where), params);
  // Reads only the batch, without the totals of its members.
  const own = async (id: string): Promise<{ total: number; budget_usd: number | null } | null> => {
    if (!isUuid(id)) return null;
    return (await database.rows<{ total: number; budget_usd: number | null }>(sql.OWN, [id]))[0] ?? null;
  };
  return {
    runBase: async ({ caseId, runId = null }) => {
      if (!isUuid(caseId) || (runId !== null && !isUuid(runId))) return null;
      const [row] = await database.rows<{ alert: AlertParts }>(sql.RUN_BASE, [caseId, runId]);
      return row === undefined ? null : { ...baseOf(row), alert: alertOf(row.alert) };
    },
    pick: (ask) => pickCases(database, ask),
    create: (batch) => database.transaction((tx) => create(tx, batch)),
    list: async (limit) =>
      (await batchesWhere(`true order by b.created_at desc, b.id limit ${limit}`)).map(rowBatch),
    get: async (id) => {
      const [row] = isUuid(id) ? await batchesWhere('b.id = $1', [id]) : [];
      return row === undefined ? null : rowBatch(row);
    },
    members: async (id, limit, offset) => {
      const { total = 0 } = (await own(id)) ?? {};
      const members = total === 0 ? [] : await database.rows<BatchMember>(sql.MEMBERS, [id, limit, offset]);
      return { members, total };
    },
    atWork: async () => {
      const [open] = await database.rows(sql.ANY_OPEN);
      if (open === undefined) return [];
      await database.rows(sql.SETTLE);
      await database.rows(sql.FINISH);
      return (await batchesWhere(`b.state in ('running', 'applying') order by b.created_at, b.id`)).map(
        atWork,
      );
    },
    waitingMembers: (id, limit) => database.rows<WaitingMember>(sql.WAITING, [id, limit]),
    markOpened: async (id, positions, failed) =>
      void (await database.rows(sql.MARK, [id, positions, storableJson(failed)])),
    budget: async (id) => {
      if (!isUuid(id)) return null;
      return (await database.rows<{ budget_usd: number | null }>(sql.BUDGET, [id]))[0]?.budget_usd ?? null;
    },
    hold: async ({ id, budgetUsd }, reason) =>
      void (await move(database, id, HOLD, { reason, seenBudgetUsd: budgetUsd })),
    membersToCompare: (id, limit) => database.rows<MemberToCompare>(TO_COMPARE, [id, limit]),
    markCompared: async (id, changes) => {
      await database.rows(MARK_COMPARED, [id, storableJson(changes)]);
      await database.rows(sql.FINISH);
    },
    preview: (id, choice, after, limit) => previewMembers(database, id, choice, after, limit),
    act: async (id, act, { budgetUsd, choice } = {}) => {
      if ((await own(id)) === null) return null;
      return database.transaction(async (tx) => {
        if (!(await move(tx, id, ACTS[act], { budgetUsd }))) return false;
        if (act === 'apply' && choice !== undefined) await chooseMembers(tx, id, choice);
        // Held runs are read and redriven in this transaction. Otherwise a driver could see the new state with
        // the runs still held, and pause the batch again.
        const held = (await tx.rows<{ id: string }>(sql.HELD_RUNS, [id])).map((run) => run.id);
        if (act === 'resume') await redriveRuns(tx, held);
        if (act === 'discard') await dropDeadLetters(tx, held);
        return true;
      });
    },
    membersToApply: (id, limit) => database.rows<MemberToApply>(TO_APPLY, [id, limit]),
    applyMembers: async (id, members) => {
      if (members.length > 0) await database.transaction((tx) => applyMembers(tx, id, members));
      const [{ n } = { n: 0 }] = await database.rows<{ n: number }>(LEFT, [id]);
      if (n === 0) await move(database, id, APPLIED);
    },
    degradedSince: async (since) => {
      const [row] = await database.rows<{ n: number }>(sql.DEGRADED_SINCE, [instantOf('since', since)]);
      return row?.n ?? 0;
    },
  };
}

async function create(
  tx: Queryable,
  { id, ask, estimateUsd, members, mostOpen = Number.MAX_SAFE_INTEGER }: Parameters<Batches['create']>[0],
): Promise<boolean> {
  await tx.rows(sql.LOCK_BATCHES);
  const [open] = await tx.rows<{ n: number }>(sql.OPEN_BATCHES, [id]);
  if ((open?.n ?? 0) >= mostOpen) return false;
  const { ratePerSecond = null, budgetUsd = null, caseIds } = ask;
  const kept = caseIds === undefined ? ask : { ...ask, caseIds: caseIds.slice(0, MOST_ASK_IDS) };
  const batch = [id, storableJson(kept), ratePerSecond, budgetUsd, estimateUsd, members.length];
  const rows = members.map((member, position) => ({ position, ...member }));
  const { text, params } = new WithClause(...batch)
    .rows(sql.NEW_MEMBERS, rows, sql.OPEN_BATCH)
    .statement(sql.ADD_MEMBERS);
  await tx.rows(text, params);
  return true;
}

interface MoveDetails {
  reason?: string | null;
  /** The new budget; null: as before. */
  budgetUsd?: number | null;
  /** Moves the batch only if this is still its budget; null: whatever its budget is. */
  seenBudgetUsd?: number | null;
}

async function move(
  database: Queryable,
  id: string,
  { to, from }: BatchTransition,
  { reason = null, budgetUsd = null, seenBudgetUsd = null }: MoveDetails = {},
): Promise<boolean> {
  return (await database.rows(sql.MOVE, [id, to, from, reason, budgetUsd, seenBudgetUsd])).length > 0;
}

async function pickCases(database: Database, ask: BatchAsk): Promise<BatchSelection> {
  const { caseIds = null, dataset = null, degradedSince, filter = {}, lane } = ask;
  const { from, to } = filter;
  const members = await database.rows<BatchSelection['members'][number]>(sql.PICK, [
    caseIds,
    dataset,
    degradedSince === undefined ? null : instantOf('degradedSince', degradedSince),
    filter.playbook ?? null,
    filter.disposition ?? null,
    filter.action ?? null,
    filter.method ?? null,
    filter.degraded ?? null,
    from === undefined ? null : instantOf('filter.from', from),
    to === undefined ? null : lastInstantOf('filter.to', to),
    MOST_MEMBERS,
  ]);
  if (lane === 'replay' || members.length === 0) return { members, estimateUsd: 0 };
  const [estimate] = await database.rows<{ usd: number }>(sql.ESTIMATE, [
    members.map(({ baseRunId }) => baseRunId),
  ]);
  return { members, estimateUsd: estimate?.usd ?? 0 };
}

function rowBatch(row: BatchRow): Batch {
  const counted = countedOf(row);
  const { ask, budget_usd: budgetUsd, worked_ms: workedMs, recent, recent_s: recentS } = row;
  return {
    ...counted,
    // The budget may have been raised since the batch was requested, so the current one is returned.
    ask: { ...ask, ...(budgetUsd === null ? {} : { budgetUsd }) },
    ...batchPace(counted, { workedMs, recent, recentS }),
  };
}

function atWork(row: BatchRow): BatchAtWork {
  const { waiting, held, budget_usd: budgetUsd } = row;
  const { id, state, ask, open, done, costUsd, ...estimated } = rowBatch(row);
  const expectedUsd = batchExpectedUsd({ done, costUsd, ...estimated });
  const shown = { id, ask, waiting, open, held, done, costUsd, budgetUsd, expectedUsd };
  return { ...shown, state: state as BatchAtWork['state'] };
}
