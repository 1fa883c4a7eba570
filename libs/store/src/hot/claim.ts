import {
  CasefileError,
  crashMessage,
  judgeClaim,
  lastTryFrom,
  selectArtifacts,
  TOO_LATE,
  type AppendedArtifact,
  type ArtifactName,
  type ClaimedWork,
  type ClaimRequest,
  type ClaimResult,
  type Nudge,
  type UnitState,
} from '@casefile/contracts';
import { alertOf, type AlertParts } from './alert-parts.js';
import * as sql from './claim-sql.js';
import type { RowFrom } from '../columns.js';
import type { Database, Queryable } from '../database.js';
import type { HotWrite } from '../write-lane.js';
import { inLockOrder } from './record-rows.js';
import { isUuid, WithClause } from '../row-set.js';
import {
  interactionOf,
  rowNudge,
  recordOf,
  signalOf,
  toolCallOf,
  toolNudgeOf,
  type ToolNudgeRow,
  type UnitNudgeRow,
} from '../rows.js';

interface WorkRow extends RowFrom<'units', 'epoch' | 'case_id' | 'wait_over'> {
  i: number;
  seen_epoch: number;
  alert: AlertParts | null;
  artifacts: AppendedArtifact[] | null;
  units: string[] | null;
  interactions: { state: string }[] | null;
  tool_calls: { state: string }[] | null;
  signals: object[] | null;
}

/** Row of a locked unit. `now` is the time of the database, in milliseconds. */
type LockedUnit = UnitState & { caseId: string; playbook: string; epoch: number; now: number };

const FACTS = ['caseId', 'lane', 'settings', 'trace', 'crashes', 'failures', 'waitOver', 'pausedMs'] as const;
const factsOf = recordOf<Pick<ClaimedWork, (typeof FACTS)[number]>>()(FACTS);

/**
 * Claims many units. Units with the status `due` are claimed in one statement, the others separately. Each
 * request has its own promise, so that one failed claim does not fail the others.
 */
export const claimWrite: HotWrite<ClaimRequest, ClaimResult> = {
  name: 'claim',
  statement: (requests) => {
    const known = requests.flatMap((request, i) => (isUuid(request.runId) ? [requestRow(request, i)] : []));
    if (known.length === 0) return null;
    return new WithClause().rows(sql.CLAIMS, inLockOrder(known), sql.LOCK_DUE).statement(sql.CLAIM_DUE);
  },
  results: (requests, rows, { database }) => {
    const claimedRows = new Map((rows as WorkRow[]).map((row) => [row.i, row]));
    return requests.map((request, i) => {
      const row = claimedRows.get(i);
      return row === undefined ? claimUnderLock(database, request) : finish(database, request, row);
    });
  },
};

/** Crash limit for the common statement, high enough to have no effect. */
const MANY_CRASHES = 1_000_000;

function requestRow(request: ClaimRequest, i: number) {
  const { runId, unit, stage, round, readsAlert, reads, readsPrevious, joins, leaseMs } = request;
  const names: ArtifactName[] = [...new Set([...reads, ...readsPrevious])];
  const { lastTry = 'take' } = request;
  const crashesBelow = lastTry === 'take' ? MANY_CRASHES : lastTryFrom(request);
  return { i, runId, unit, stage, round, readsAlert, names, joins, leaseMs, crashesBelow };
}

// Most rows are complete. A row is loaded again under its lock in three cases: (1) it was read before the
// claim got the lock, so it may be outdated; (2) a dead worker left a model call open, which must be marked as
// ambiguous; (3) the wait ended while tool calls are open, which must be settled as too late.
async function finish(database: Database, request: ClaimRequest, row: WorkRow): Promise<ClaimResult> {
  const leftOpen = row.interactions?.some((interaction) => interaction.state === 'pending') === true;
  const late =
    row.wait_over && row.tool_calls?.some(({ state }) => state === 'pending' || state === 'running');
  if (!leftOpen && !late && row.seen_epoch === row.epoch - 1) return claimedRequest(request, row);
  return database.transaction(async (tx) => {
    const [unit] = await tx.rows<LockedUnit>(sql.LOCK_UNIT, [request.runId, request.unit]);
    if (unit?.epoch !== row.epoch) return { kind: 'refused', reason: 'leased', nudges: [] };
    if (row.wait_over) await settleLate(tx, request);
    await markAmbiguous(tx, request, row.case_id);
    const fresh = await load(tx, request);
    return claimedRequest(request, { ...fresh, epoch: row.epoch });
  });
}

async function markAmbiguous(
  tx: Queryable,
  { runId, unit, stage, round }: ClaimRequest,
  caseId: string,
): Promise<void> {
  await tx.rows(sql.AMBIGUOUS_INTERACTIONS, [runId, unit, stage, round, caseId]);
}

// Must be called before any statement that locks budgets, because all statements lock tool calls before
// budgets. Another order could deadlock.
async function settleLate(tx: Queryable, { runId, unit }: ClaimRequest): Promise<void> {
  await tx.rows(sql.SETTLE_LATE, [runId, unit, TOO_LATE.reasonCode, TOO_LATE.message]);
}

async function load(tx: Queryable, request: ClaimRequest): Promise<WorkRow> {
  const { text, params } = new WithClause()
    .rows(sql.CLAIMS, [requestRow(request, 0)])
    .statement(sql.LOAD_CLAIMED);
  const [row] = await tx.rows<WorkRow>(text, params);
  if (row === undefined)
    throw new CasefileError('store_error', `run ${request.runId} is gone while it is worked on`);
  return row;
}

function claimedRequest(request: ClaimRequest, row: WorkRow): ClaimResult {
  const { runId, unit, stage, round } = request;
  const work: ClaimedWork = {
    lease: { runId, unit, stage, round, epoch: row.epoch },
    ...factsOf(row),
    alert: row.alert === null ? null : alertOf(row.alert),
    ...selectArtifacts(request, row.artifacts ?? [], row.units ?? []),
    interactions: (row.interactions ?? []).map(interactionOf),
    toolCalls: (row.tool_calls ?? []).map(toolCallOf),
    signals: (row.signals ?? []).map(signalOf),
  };
  return { kind: 'claimed', work };
}

// Decides a unit that the common statement did not claim. `judgeClaim` says whether to claim it after a crash
// or an ended wait, to quarantine it, or to refuse.
async function claimUnderLock(database: Database, request: ClaimRequest): Promise<ClaimResult> {
  if (!isUuid(request.runId)) return { kind: 'refused', reason: 'unknown', nudges: [] };
  return database.transaction(async (tx) => {
    const [unit] = await tx.rows<LockedUnit>(sql.LOCK_UNIT, [request.runId, request.unit]);
    if (unit === undefined) return { kind: 'refused', reason: 'unknown', nudges: [] };
    const judgement = judgeClaim(unit, request, unit.now);
    if (judgement.kind === 'refuse') {
      return {
        kind: 'refused',
        reason: judgement.reason,
        nudges: await nudgesFor(tx, request, judgement.reason),
      };
    }
    if (judgement.kind === 'take' && judgement.waitOver) await settleLate(tx, request);
    await markAmbiguous(tx, request, unit.caseId);
    if (judgement.kind === 'quarantine') {
      const why = ['crashed_repeatedly', crashMessage(unit, judgement.crashes)];
      await tx.rows(sql.QUARANTINE_UNIT, [request.runId, request.unit, judgement.crashes, ...why]);
      return { kind: 'refused', reason: 'quarantined', nudges: [] };
    }
    const { crashes, firstCrashAt, waitOver, pausedMs } = judgement;
    const { runId, unit: name, leaseMs, lastTry = 'take' } = request;
    if (typeof lastTry === 'object' && crashes >= lastTryFrom(request)) {
      const { holdMs } = lastTry;
      await tx.rows(sql.HOLD_UNIT, [runId, name, crashes, firstCrashAt, holdMs, waitOver, pausedMs]);
      return { kind: 'refused', reason: 'last-try', nudges: [] };
    }
    await tx.rows(sql.RETAKE_UNIT, [runId, name, crashes, firstCrashAt, waitOver, leaseMs, pausedMs]);
    return claimedRequest(request, await load(tx, request));
  });
}

async function nudgesFor(tx: Queryable, request: ClaimRequest, reason: string): Promise<Nudge[]> {
  if (reason === 'moved-on') {
    return (await tx.rows<UnitNudgeRow>(sql.DUE_UNITS, [request.runId])).map(rowNudge);
  }
  if (reason !== 'suspended') return [];
  return (await tx.rows<ToolNudgeRow>(sql.AWAITED_CALLS, [request.runId, request.unit])).map(toolNudgeOf);
}
