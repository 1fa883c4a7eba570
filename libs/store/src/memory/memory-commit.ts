import type { CommitRequest, CommitResult, Nudge, UnitStatus } from '@casefile/contracts';
import { moveOf, type Move } from '../plan/move.js';
import { artifactExists } from '../plan/store-errors.js';
import { eventsOfCommit, verdictFacts } from '../plan/events-of-commit.js';
import { LOOK_AGAIN_MS, nudgeOf, type UnitState } from '../plan/unit-state.js';
import { stored } from '../storable.js';
import { heldBy, toolNudgeOf } from './memory-claim.js';
import { addInlineCalls, isNewCall, recordResults } from './memory-intend.js';
import { newUnit, type CallEntry, type MemoryState } from './memory-state.js';
import { wakeSettled } from './memory-tool-calls.js';

export function commit(state: MemoryState, given: CommitRequest): CommitResult {
  const request = stored(given);
  const move = moveOf(request.lease, request.change);
  const unit = heldBy(state, request.lease);
  if (unit === null) return { kind: 'stale' };
  checkNew(state, request);
  recordResults(state, unit, request.results);
  append(state, request);
  const nudges: Nudge[] = addCalls(state, unit, request);
  apply(state, unit, move);
  if (move.nudged) nudges.push(nudgeOf(unit));
  if (request.change.kind === 'advance') nudges.push(...openUnits(state, unit, request.change));
  if (move.endsAt !== null) nudges.push(...join(state, unit, move.endsAt, request.lease.round));
  end(state, unit, request);
  for (const event of eventsOfCommit(request)) state.tell(unit, event);
  if (request.change.kind === 'suspend') nudges.push(...wakeSettled(state, unit));
  return { kind: 'committed', nudges };
}

function checkNew(state: MemoryState, { lease, change }: CommitRequest): void {
  if (change.kind !== 'advance' && change.kind !== 'decide') return;
  const { name } = change.artifact;
  const there = state.artifacts.some(
    ({ runId, unit, artifact, round }) =>
      runId === lease.runId &&
      artifact === name &&
      (name === 'verdict' || (unit === lease.unit && round === lease.round)),
  );
  if (there) throw artifactExists();
}

function append(state: MemoryState, { lease, change }: CommitRequest): void {
  if (change.kind !== 'advance' && change.kind !== 'decide') return;
  const { runId, unit, round } = lease;
  const { name: artifact, body } = change.artifact;
  state.artifacts.push({ runId, unit, artifact, round, body, createdAt: state.iso() });
}

function addCalls(
  state: MemoryState,
  unit: UnitState,
  { lease, change, inlineToolCalls }: CommitRequest,
): Nudge[] {
  addInlineCalls(state, unit, inlineToolCalls);
  if (change.kind !== 'suspend') return [];
  const { runId, unit: name, stage, round } = lease;
  const at = { runId, unit: name, stage, round, caseId: unit.caseId, lane: unit.lane };
  const idle = { epoch: 0, crashes: 0, leaseUntil: null, createdAt: state.iso() };
  return change.calls.flatMap(({ id, tool, args }, seq) => {
    if (!isNewCall(state, at, change.step, seq)) return [];
    const due = {
      state: 'pending' as const,
      nudges: 1,
      resumeAt: state.now() + LOOK_AGAIN_MS,
      settledAt: null,
    };
    const call: CallEntry = { ...at, ...idle, ...due, ...NO_ANSWER, id, step: change.step, seq, tool, args };
    state.calls.set(id, call);
    return [toolNudgeOf(call)];
  });
}

const NO_ANSWER = {
  attempts: 0,
  result: null,
  source: null,
  reasonCode: null,
  message: null,
  durationMs: null,
};

function apply(state: MemoryState, unit: UnitState, move: Move): void {
  const { status, held, waitStep, waitSignal, openUnits: open, reasonCode, message } = move;
  Object.assign(unit, { status, held, waitStep, waitSignal, openUnits: open, reasonCode, message });
  Object.assign(unit, { leaseUntil: null, waitOver: false });
  unit.leftAt = move.failed ? state.now() : null;
  if (move.stage !== null) unit.pausedMs = 0;
  unit.stage = move.stage ?? unit.stage;
  unit.round = move.round ?? unit.round;
  unit.resumeAt = move.resumeInMs === null ? null : state.now() + move.resumeInMs;
  if (move.nudged) unit.nudges += 1;
  if (move.failed) unit.failures += 1;
  if (!move.keepsCounts) Object.assign(unit, { crashes: 0, firstCrashAt: null, failures: 0 });
}

function openUnits(
  state: MemoryState,
  own: UnitState,
  { next, units }: { next: { stage: string; round: number } | null; units: string[] },
): Nudge[] {
  if (next === null) return [];
  return units.map((name) => {
    const { runId, caseId, lane } = own;
    const before = state.unit(runId, name);
    const fresh = newUnit({
      runId,
      unit: name,
      caseId,
      lane,
      ...next,
      resumeAt: state.now() + LOOK_AGAIN_MS,
    });
    const { epoch, nudges } = before ?? { epoch: 0, nudges: 0 };
    state.putUnit({ ...fresh, epoch, nudges: nudges + 1 });
    return nudgeOf(state.unit(runId, name)!);
  });
}

function join(state: MemoryState, ended: UnitState, stage: string, round: number): Nudge[] {
  const own = state.unit(ended.runId, '');
  if (own?.status !== 'joining') return [];
  own.openUnits -= 1;
  own.round = Math.max(own.round, round);
  own.stage = stage;
  if (own.openUnits > 0) return [];
  own.status = 'due';
  own.nudges += 1;
  own.resumeAt = state.now() + LOOK_AGAIN_MS;
  return [nudgeOf(own)];
}

const OVER: readonly UnitStatus[] = ['finished', 'decided', 'stopped'];

function end(state: MemoryState, unit: UnitState, { change }: CommitRequest): void {
  const run = state.runs.get(unit.runId)!;
  const now = state.now();
  if (change.kind === 'decide') {
    for (const { kind: _, sessionId, ...session } of change.deliveryId === null
      ? []
      : (change.effects ?? [])) {
      const of = { sessionId: sessionId ?? run.id, runId: run.id, caseId: run.caseId };
      state.sessions.push({ ...session, ...of, at: state.iso(), closedAt: null });
    }
    Object.assign(run, { status: 'decided', decidedAt: now, endedAt: now });
    run.action = verdictFacts(change.artifact.body).action;
    if (change.deliveryId !== null) {
      state.deliveries.set(change.deliveryId, {
        id: change.deliveryId,
        runId: run.id,
        createdAt: now,
        delivered: false,
      });
    }
    const of = state.cases.get(run.caseId)!;
    of.updatedAt = now;
    if (of.leadingRunId === run.id)
      Object.assign(of, { status: of.status === 'closed' ? 'closed' : 'decided', decidedAt: now });
  }
  const isQuarantine = change.kind === 'fail' && change.retryInMs === null && run.status === 'due';
  const isPark = change.kind === 'park' && run.status === 'due';
  if (change.kind === 'stop' || isPark || isQuarantine) {
    const { reasonCode, message } = change;
    Object.assign(run, {
      status: isQuarantine ? 'quarantined' : isPark ? 'parked' : 'stopped',
      reasonCode,
      message,
      endedAt: now,
    });
  }
  if (change.kind !== 'stop') return;
  for (const other of state.unitsOf(unit.runId)) {
    if (other === unit || OVER.includes(other.status)) continue;
    Object.assign(other, { status: 'stopped', leaseUntil: null, resumeAt: null });
    other.epoch += 1;
  }
}
