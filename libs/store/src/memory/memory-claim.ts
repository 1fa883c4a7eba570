import type {
  ClaimRequest,
  ClaimResult,
  Interaction,
  Lease,
  Nudge,
  StageKey,
  ToolLease,
  ToolNudge,
} from '@casefile/contracts';
import { selectArtifacts } from '../plan/select-artifacts.js';
import { TOO_LATE } from '../plan/tool-call-state.js';
import { interactionEvent, eventOfCall } from '../plan/events-of-commit.js';
import { crashMessage, judgeClaim, LOOK_AGAIN_MS, nudgeOf, type UnitState } from '../plan/unit-state.js';
import { stored } from '../storable.js';
import { settleCall } from './memory-budgets.js';
import type { CallEntry, MemoryState } from './memory-state.js';
import { toolCallOf } from './memory-tool-calls.js';

export function claim(state: MemoryState, request: ClaimRequest): ClaimResult {
  const unit = state.unit(request.runId, request.unit);
  if (unit === undefined) return { kind: 'refused', reason: 'unknown', nudges: [] };
  const judged = judgeClaim(unit, request, state.now());
  if (judged.kind === 'refuse') {
    return { kind: 'refused', reason: judged.reason, nudges: nudgesFor(state, unit, judged.reason) };
  }
  if (judged.kind === 'take' && judged.waitOver) settleLate(state, unit);
  markAmbiguous(state, unit, interactionsAt(state, unit));
  unit.epoch += 1;
  if (judged.kind === 'quarantine') {
    quarantine(state, unit, judged.crashes);
    return { kind: 'refused', reason: 'quarantined', nudges: [] };
  }
  const { crashes, firstCrashAt, waitOver, pausedMs } = judged;
  const until = state.now() + request.leaseMs;
  Object.assign(unit, { status: 'running', held: false, leaseUntil: until, resumeAt: until });
  Object.assign(unit, { crashes, firstCrashAt, waitOver, pausedMs, leftAt: null });
  return claimed(state, request, unit);
}

/** Ends for good what is open of the step that the unit waited for; whoever is at it settles nothing any more. */
function settleLate(state: MemoryState, unit: UnitState): void {
  for (const call of callsAt(state, unit)) {
    if (call.step !== unit.waitStep || (call.state !== 'pending' && call.state !== 'running')) continue;
    call.epoch += 1;
    Object.assign(call, { state: 'failed', ...TOO_LATE, leaseUntil: null, resumeAt: null });
    call.settledAt = state.iso();
    markAmbiguous(state, unit, interactionsOfCall(state, call.id));
    const { stage, round, unit: name } = call;
    state.tell(unit, eventOfCall({ stage, round, unit: name }, call));
  }
}

function nudgesFor(state: MemoryState, unit: UnitState, reason: string): Nudge[] {
  if (reason === 'moved-on') {
    return state
      .unitsOf(unit.runId)
      .filter((one) => one.status === 'due' && !one.held)
      .map(nudgeOf);
  }
  if (reason !== 'suspended' || unit.status !== 'suspended') return [];
  const calls = callsAt(state, unit).filter(
    (call) => call.step === unit.waitStep && call.state === 'pending',
  );
  return calls.map(toolNudgeOf);
}

/** Ends those of the model calls that are pending: what came of them nobody knows. */
export function markAmbiguous(
  state: MemoryState,
  of: { caseId: string; runId: string },
  interactions: Interaction[],
): void {
  for (const interaction of interactions) {
    if (interaction.state !== 'pending') continue;
    interaction.state = 'ambiguous';
    settleCall(state, interaction.id, null);
    state.tell(of, interactionEvent(interaction));
  }
}

function quarantine(state: MemoryState, unit: UnitState, crashes: number): void {
  const why = { reasonCode: 'crashed_repeatedly', message: crashMessage(unit, crashes) };
  Object.assign(unit, {
    status: 'quarantined',
    leaseUntil: null,
    resumeAt: null,
    held: false,
    crashes,
    ...why,
  });
  const run = state.runs.get(unit.runId)!;
  if (run.status === 'due') Object.assign(run, { status: 'quarantined', endedAt: state.now(), ...why });
  const { stage, round, unit: name } = unit;
  state.tell(unit, { type: 'run.quarantined', data: { stage, round, unit: name, ...why, crashes } });
}

function claimed(state: MemoryState, request: ClaimRequest, unit: UnitState): ClaimResult {
  const { runId, unit: name, stage, round } = request;
  const run = state.runs.get(runId)!;
  const entry = state.alerts.get(run.alertId)!;
  const appended = state.artifacts.filter((artifact) => artifact.runId === runId);
  const opened = state.unitsOf(runId).flatMap((one) => (one.unit === '' ? [] : [one.unit]));
  const work = {
    lease: { runId, unit: name, stage, round, epoch: unit.epoch },
    caseId: unit.caseId,
    lane: unit.lane,
    settings: run.settings,
    trace: run.trace,
    alert: request.readsAlert ? { ...entry.alert, id: entry.id, receivedAt: entry.receivedAt } : null,
    ...selectArtifacts(request, appended, opened),
    interactions: interactionsAt(state, unit),
    toolCalls: callsAt(state, unit).map(toolCallOf),
    crashes: unit.crashes,
    failures: unit.failures,
    waitOver: unit.waitOver,
    pausedMs: unit.pausedMs,
  };
  return { kind: 'claimed', work: stored(work) };
}

const isAt =
  (place: StageKey) =>
  (row: StageKey): boolean =>
    row.runId === place.runId &&
    row.unit === place.unit &&
    row.stage === place.stage &&
    row.round === place.round;

/** A stage's own model calls. */
export function interactionsAt(state: MemoryState, place: StageKey): Interaction[] {
  const found = [...state.interactions.values()].filter(isAt(place));
  return found.filter(({ toolCallId }) => !toolCallId).sort(bySteps);
}

/** What a tool call has asked of models. */
export function interactionsOfCall(state: MemoryState, callId: string): Interaction[] {
  return [...state.interactions.values()].filter(({ toolCallId }) => toolCallId === callId).sort(bySteps);
}

const bySteps = (a: Interaction, b: Interaction): number => a.step - b.step || a.attempt - b.attempt;

export function callsAt(state: MemoryState, place: StageKey): CallEntry[] {
  return [...state.calls.values()].filter(isAt(place)).sort((a, b) => a.step - b.step || a.seq - b.seq);
}

export function toolNudgeOf(call: CallEntry): ToolNudge {
  return { kind: 'tool', toolCallId: call.id, tool: call.tool, lane: call.lane, nudge: call.nudges };
}

/** The unit, when this lease still holds it. */
export function heldBy(state: MemoryState, lease: Lease): UnitState | null {
  const unit = state.unit(lease.runId, lease.unit);
  if (unit === undefined || unit.epoch !== lease.epoch || unit.status !== 'running') return null;
  return unit.stage === lease.stage && unit.round === lease.round ? unit : null;
}

/** The call, when this lease still holds it. */
export function callHeldBy(state: MemoryState, lease: ToolLease): CallEntry | null {
  const call = state.calls.get(lease.toolCallId);
  return call !== undefined && call.epoch === lease.epoch && call.state === 'running' ? call : null;
}

export function renew(state: MemoryState, leases: Lease[], leaseMs: number): Lease[] {
  return leases.filter((lease) => {
    const unit = heldBy(state, lease);
    if (unit !== null) unit.leaseUntil = unit.resumeAt = state.now() + leaseMs;
    return unit === null;
  });
}

export function release(state: MemoryState, lease: Lease, pauseMs = 0): Nudge[] {
  const unit = heldBy(state, lease);
  if (unit === null) return [];
  const now = state.now();
  const held = pauseMs > 0;
  const resumeAt = now + (held ? pauseMs : LOOK_AGAIN_MS);
  Object.assign(unit, { status: 'due', leaseUntil: null, leftAt: now, held, resumeAt });
  unit.nudges += 1;
  return held ? [] : [nudgeOf(unit)];
}
