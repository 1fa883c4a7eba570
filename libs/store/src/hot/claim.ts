import {
  CasefileError,
  type Alert,
  type ArtifactName,
  type ClaimedWork,
  type ClaimRequest,
  type ClaimResult,
  type Nudge,
  type RunSettings,
  type ToolNudge,
  type Lane,
  type ArtifactSet,
  type JsonObject,
} from '@casefile/contracts';
import { alertOf, type AlertParts } from './alert-parts.js';
import { TOO_LATE } from './tool-call-state.js';
import { crashMessage, judgeClaim, nudgeOf } from './unit-state.js';
import * as sql from './claim-sql.js';
import type { Database, Queryable } from '../database.js';
import type { HotWrite } from '../write-lane.js';
import { inLockOrder } from './record-rows.js';
import { isUuid, msOf, RowSets } from '../row-set.js';
import {
  interactionOf,
  signalOf,
  toolCallOf,
  UNIT_COLUMNS,
  type NudgedUnitRow,
  type UnitRow,
} from '../rows.js';

interface WorkRow {
  i: number;
  epoch: number;
  seen_epoch: number;
  case_id: string;
  lane: Lane;
  crashes: number;
  failures: number;
  wait_over: boolean;
  paused_ms: number;
  settings: RunSettings;
  trace: string | null;
  alert: AlertParts | null;
  artifacts: Appended[] | null;
  units: string[] | null;
  interactions: { state: string }[] | null;
  tool_calls: { state: string }[] | null;
  signals: object[] | null;
}

/**
 * Claims many units: those that are plainly due in one statement, the others one by one. Each has a promise of its
 * own: a claim that succeeded is not lost with one that failed.
 */
export function claimWrite(database: Database): HotWrite<ClaimRequest, ClaimResult> {
  return {
    statement: (requests) => {
      const sets = new RowSets();
      const isPlain = ({ isBegunBefore, runId }: ClaimRequest) => isBegunBefore !== true && isUuid(runId);
      const known = requests.flatMap((request, i) => (isPlain(request) ? [rowOf(request, i)] : []));
      const text = sql.claimDue(sets.add('q', sql.CLAIM_COLUMNS, inLockOrder(known)));
      return known.length === 0 ? null : { text, params: sets.params };
    },
    results: (requests, rows) => {
      const claimedRows = new Map((rows as WorkRow[]).map((row) => [row.i, row]));
      return requests.map((request, i) => {
        const row = claimedRows.get(i);
        return row === undefined ? claimUnderLock(database, request) : finish(database, request, row);
      });
    },
  };
}

function rowOf(request: ClaimRequest, i: number) {
  const { runId, unit, stage, round, readsAlert, reads, readsPrevious, joins, leaseMs } = request;
  const names: ArtifactName[] = [...new Set([...reads, ...readsPrevious])];
  return { i, run_id: runId, unit, stage, round, reads_alert: readsAlert, names, joins, lease_ms: leaseMs };
}

// A row that was loaded before the claim had its lock, or has calls left open, needs a second look; few do. So does one
// whose wait is over before all its tools have answered.
async function finish(database: Database, request: ClaimRequest, row: WorkRow): Promise<ClaimResult> {
  const leftOpen = row.interactions?.some((interaction) => interaction.state === 'pending') === true;
  const late =
    row.wait_over && row.tool_calls?.some(({ state }) => state === 'pending' || state === 'running');
  if (!leftOpen && !late && row.seen_epoch === row.epoch - 1) return claimed(request, row);
  return database.transaction(async (tx) => {
    const [unit] = await tx.rows<UnitRow>(LOCK_UNIT, [request.runId, request.unit]);
    if (unit?.epoch !== row.epoch) return { kind: 'refused', reason: 'leased', nudges: [] };
    if (row.wait_over) await settleLate(tx, request);
    await markAmbiguous(tx, request, row.case_id);
    const fresh = await load(tx, request);
    return claimed(request, { ...fresh, epoch: row.epoch });
  });
}

async function markAmbiguous(
  tx: Queryable,
  { runId, unit, stage, round }: ClaimRequest,
  caseId: string,
): Promise<void> {
  await tx.rows(sql.AMBIGUOUS_INTERACTIONS, [runId, unit, stage, round, caseId]);
}

// Before budgets are touched: whoever locks both, locks tool calls first.
async function settleLate(tx: Queryable, { runId, unit }: ClaimRequest): Promise<void> {
  await tx.rows(sql.SETTLE_LATE, [runId, unit, TOO_LATE.reasonCode, TOO_LATE.message]);
}

async function load(tx: Queryable, request: ClaimRequest): Promise<WorkRow> {
  const sets = new RowSets();
  const [row] = await tx.rows<WorkRow>(
    sql.loadClaimed(sets.add('w', sql.CLAIM_COLUMNS, [rowOf(request, 0)])),
    sets.params,
  );
  if (row === undefined)
    throw new CasefileError('store_error', `run ${request.runId} is gone while it is worked on`);
  return row;
}

function claimed(request: ClaimRequest, row: WorkRow): ClaimResult {
  const { runId, unit, stage, round } = request;
  const work: ClaimedWork = {
    lease: { runId, unit, stage, round, epoch: row.epoch },
    caseId: row.case_id,
    lane: row.lane,
    settings: row.settings,
    trace: row.trace,
    alert: row.alert === null ? null : (alertOf(row.alert) satisfies Alert),
    ...selectArtifacts(request, row.artifacts ?? [], row.units ?? []),
    interactions: (row.interactions ?? []).map(interactionOf),
    toolCalls: (row.tool_calls ?? []).map(toolCallOf),
    signals: (row.signals ?? []).map(signalOf),
    crashes: row.crashes,
    failures: row.failures,
    waitOver: row.wait_over,
    pausedMs: row.paused_ms,
  };
  return { kind: 'claimed', work };
}

// Crashes, waits that are over and refusals: under the row's lock, by the rules every store has.
async function claimUnderLock(database: Database, request: ClaimRequest): Promise<ClaimResult> {
  if (!isUuid(request.runId)) return { kind: 'refused', reason: 'unknown', nudges: [] };
  return database.transaction(async (tx) => {
    const [unit] = await tx.rows<UnitRow>(LOCK_UNIT, [request.runId, request.unit]);
    if (unit === undefined) return { kind: 'refused', reason: 'unknown', nudges: [] };
    const judged = judgeClaim(unit, request, unit.now);
    if (judged.kind === 'refuse') {
      return { kind: 'refused', reason: judged.reason, nudges: await nudgesFor(tx, request, judged.reason) };
    }
    if (judged.kind === 'take' && judged.waitOver) await settleLate(tx, request);
    await markAmbiguous(tx, request, unit.caseId);
    if (judged.kind === 'quarantine') {
      const why = ['crashed_repeatedly', crashMessage(unit, judged.crashes)];
      await tx.rows(sql.QUARANTINE_UNIT, [request.runId, request.unit, judged.crashes, ...why]);
      return { kind: 'refused', reason: 'quarantined', nudges: [] };
    }
    const { crashes, firstCrashAt, waitOver, pausedMs } = judged;
    const { runId, unit: name, leaseMs } = request;
    await tx.rows(sql.RETAKE_UNIT, [runId, name, crashes, firstCrashAt, waitOver, leaseMs, pausedMs]);
    return claimed(request, await load(tx, request));
  });
}

const LOCK_UNIT = `select ${UNIT_COLUMNS}, ${msOf('now()')} as now from units u
  where u.run_id = $1 and u.unit = $2 for no key update`;

async function nudgesFor(tx: Queryable, request: ClaimRequest, reason: string): Promise<Nudge[]> {
  if (reason === 'moved-on') {
    const units = await tx.rows<NudgedUnitRow>(sql.DUE_UNITS, [request.runId]);
    return units.map((row) => nudgeOf({ ...row, runId: row.run_id }));
  }
  if (reason !== 'suspended') return [];
  const calls = await tx.rows<ToolNudgeRow>(sql.AWAITED_CALLS, [request.runId, request.unit]);
  return calls.map(toolNudgeOf);
}

export interface ToolNudgeRow {
  id: string;
  tool: string;
  lane: Lane;
  nudges: number;
}

export function toolNudgeOf(row: ToolNudgeRow): ToolNudge {
  return { kind: 'tool', toolCallId: row.id, tool: row.tool, lane: row.lane, nudge: row.nudges };
}

interface Appended {
  unit: string;
  artifact: ArtifactName;
  round: number;
  body: JsonObject;
}

/**
 * Of the artifacts of a run, what a claim is to be handed: for each name the one of the highest round, of the
 * unit itself or else of the run's own unit `''`, from before the units were opened.
 */
function selectArtifacts(
  request: Pick<ClaimRequest, 'unit' | 'round' | 'reads' | 'readsPrevious' | 'joins'>,
  appended: readonly Appended[],
  openedUnits: readonly string[],
): Pick<ClaimedWork, 'artifacts' | 'previous' | 'units'> {
  const { unit, round, reads, readsPrevious, joins } = request;
  const upTo = (limit: number) => appended.filter((artifact) => artifact.round <= limit);
  const names = openedUnits.length > 0 ? [...openedUnits].sort() : [''];
  return {
    artifacts: pick(upTo(round), unit, reads),
    previous: pick(upTo(round - 1), unit, readsPrevious),
    units: joins ? names.map((name) => ({ unit: name, artifacts: pick(appended, name, reads) })) : [],
  };
}

function pick(appended: readonly Appended[], unit: string, names: readonly ArtifactName[]): ArtifactSet {
  const set: ArtifactSet = {};
  for (const name of names) {
    const named = appended.filter((artifact) => artifact.artifact === name);
    const found =
      newest(named.filter((artifact) => artifact.unit === unit)) ??
      newest(named.filter((a) => a.unit === ''));
    if (found !== undefined) set[name] = found.body;
  }
  return set;
}

function newest(artifacts: Appended[]): Appended | undefined {
  return artifacts.reduce<Appended | undefined>(
    (best, one) => (best === undefined || one.round > best.round ? one : best),
    undefined,
  );
}
