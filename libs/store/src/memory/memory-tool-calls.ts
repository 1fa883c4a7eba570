import type {
  Nudge,
  ToolCall,
  ToolCallMore,
  ToolClaimResult,
  ToolLease,
  ToolSettlement,
} from '@casefile/contracts';
import { eventOfCall } from '../plan/events-of-commit.js';
import { judgeCall } from '../plan/tool-call-state.js';
import { LOOK_AGAIN_MS, nudgeOf, type UnitState } from '../plan/unit-state.js';
import { bounded, boundedText, stored } from '../storable.js';
import { callHeldBy, callsAt, interactionsOfCall, markAmbiguous, toolNudgeOf } from './memory-claim.js';
import { recordResults } from './memory-intend.js';
import type { CallEntry, MemoryState } from './memory-state.js';

/** A call without what the store keeps for itself. */
export function toolCallOf(entry: CallEntry): ToolCall {
  const { caseId: _caseId, lane: _lane, epoch: _epoch, nudges: _nudges, crashes: _crashes, ...rest } = entry;
  const { leaseUntil: _leaseUntil, resumeAt: _resumeAt, ...call } = rest;
  return call;
}

export function claimToolCall(state: MemoryState, id: string, leaseMs: number): ToolClaimResult {
  const call = state.calls.get(id);
  if (call === undefined) return { kind: 'refused', reason: 'unknown', nudges: [] };
  const unit = state.unit(call.runId, call.unit)!;
  const judged = judgeCall({ ...call, leaseLive: (call.leaseUntil ?? 0) > state.now() }, unit);
  if (judged.kind === 'refuse') {
    const wakes = judged.reason === 'settled' && isDueAt(unit, call);
    return { kind: 'refused', reason: judged.reason, nudges: wakes ? [nudgeOf(unit)] : [] };
  }
  if (judged.kind === 'give-up') {
    call.epoch += 1;
    return { kind: 'refused', reason: 'settled', nudges: settle(state, call, judged.settlement) };
  }
  const until = state.now() + leaseMs;
  Object.assign(call, { state: 'running', crashes: judged.crashes, leaseUntil: until, resumeAt: until });
  call.epoch += 1;
  markAmbiguous(state, call, interactionsOfCall(state, id));
  const { settings, trace } = state.runs.get(call.runId)!;
  const lease = { toolCallId: id, epoch: call.epoch };
  const { caseId, lane } = call;
  const interactions = interactionsOfCall(state, id);
  return stored({
    kind: 'claimed' as const,
    lease,
    call: toolCallOf(call),
    caseId,
    interactions,
    lane,
    settings,
    trace,
  });
}

function isDueAt(unit: UnitState, call: CallEntry): boolean {
  return unit.status === 'due' && !unit.held && unit.stage === call.stage && unit.round === call.round;
}

export function settleToolCall(
  state: MemoryState,
  lease: ToolLease,
  settlement: ToolSettlement,
  more: ToolCallMore = { results: [], events: [] },
): { kind: 'settled' | 'stale'; nudges: Nudge[] } {
  const call = callHeldBy(state, lease);
  if (call === null) return { kind: 'stale', nudges: [] };
  const { results, events } = stored(more);
  recordResults(state, call, results);
  for (const event of events) state.tell(call, event);
  return { kind: 'settled', nudges: settle(state, call, stored(settlement)) };
}

function settle(state: MemoryState, call: CallEntry, given: ToolSettlement): Nudge[] {
  markAmbiguous(state, call, interactionsOfCall(state, call.id));
  const parts = { result: bounded(given.result), message: boundedText(given.message) };
  Object.assign(call, given, parts, { leaseUntil: null, resumeAt: null, settledAt: state.iso() });
  const { stage, round, unit } = call;
  state.tell(call, eventOfCall({ stage, round, unit }, call));
  const own = state.unit(call.runId, call.unit)!;
  return own.stage === stage && own.round === round ? wakeSettled(state, own) : [];
}

/** The join of tool calls: due again when no call of the step it waits for is open. */
export function wakeSettled(state: MemoryState, unit: UnitState): Nudge[] {
  if (unit.status !== 'suspended' || unit.waitSignal !== null) return [];
  const open = callsAt(state, unit).some(
    (call) => call.step === unit.waitStep && (call.state === 'pending' || call.state === 'running'),
  );
  if (open) return [];
  Object.assign(unit, { status: 'due', waitOver: false, held: false, resumeAt: state.now() + LOOK_AGAIN_MS });
  unit.nudges += 1;
  return [nudgeOf(unit)];
}

export function renewToolCalls(state: MemoryState, leases: ToolLease[], leaseMs: number): ToolLease[] {
  return leases.filter((lease) => {
    const call = callHeldBy(state, lease);
    if (call !== null) call.leaseUntil = call.resumeAt = state.now() + leaseMs;
    return call === null;
  });
}

export function releaseToolCall(state: MemoryState, lease: ToolLease): Nudge[] {
  const call = callHeldBy(state, lease);
  if (call === null) return [];
  Object.assign(call, { state: 'pending', leaseUntil: null, resumeAt: state.now() + LOOK_AGAIN_MS });
  call.nudges += 1;
  return [toolNudgeOf(call)];
}
