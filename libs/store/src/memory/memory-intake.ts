import {
  recordedVerdict,
  type AcceptRequest,
  type AcceptResult,
  type OpenRunRequest,
  type StageNudge,
} from '@casefile/contracts';
import { firstNudge, planAccept, runFacts, type CaseChange, type Known } from '../plan/accept.js';
import type { KnownVerdict } from '../plan/judged-again.js';
import { unknownCase } from '../plan/store-errors.js';
import { LOOK_AGAIN_MS } from '../plan/unit-state.js';
import { stored } from '../storable.js';
import { newUnit, type MemoryState } from './memory-state.js';

export function accept(state: MemoryState, given: AcceptRequest, providersOut: string[]): AcceptResult {
  const request = stored(given);
  const plan = planAccept([request], { ...known(state, request), providersOut });
  for (const change of plan.cases.values()) putCase(state, change);
  for (const { request: taken, caseId } of plan.alerts) {
    const { alertId: id, receivedAt, alert } = taken;
    state.alerts.set(id, { id, caseId, receivedAt, alert });
  }
  for (const { request: taken, caseId } of plan.runs) putRun(state, { ...taken, caseId });
  for (const key of plan.keys) state.keys.set(key.key, key);
  for (const event of plan.events) state.tell(event, event);
  return plan.results[0]!;
}

function known(state: MemoryState, request: AcceptRequest): Omit<Known, 'providersOut'> {
  const key = request.idempotency === null ? undefined : state.keys.get(request.idempotency.key);
  const alert = state.alerts.get(request.alertId);
  const ofKey = request.again === 'key' ? key?.caseId : undefined;
  const cases = [...state.cases.values()].filter(
    ({ id, fingerprint, status }) =>
      status !== 'closed' && (id === ofKey || (fingerprint !== null && fingerprint === request.fingerprint)),
  );
  return {
    keys: key === undefined ? [] : [key],
    alerts: alert === undefined ? [] : [earlier(state, alert.id, alert.caseId)],
    cases: cases.map((one) => ({
      ...one,
      decidedAgoMs: one.decidedAt === null ? null : state.now() - one.decidedAt,
      verdict: verdictOf(state, one.leadingRunId),
    })),
  };
}

function verdictOf(state: MemoryState, runId: string): KnownVerdict | null {
  const found = state.artifacts.find((one) => one.runId === runId && one.artifact === 'verdict');
  if (found === undefined) return null;
  const { decidedAt, degraded, degradedBy, degradedNote, method } = recordedVerdict(found.body);
  const { provider } = state.runs.get(runId)!.settings;
  return { runId, decidedAt, degraded, degradedBy, degradedNote, method, provider };
}

function earlier(state: MemoryState, alertId: string, caseId: string): Known['alerts'][number] {
  const run = [...state.runs.values()].find((one) => one.alertId === alertId);
  const first = [...state.alerts.values()].find((alert) => alert.caseId === caseId);
  return {
    alertId,
    caseId,
    runId: run?.id ?? state.cases.get(caseId)!.newestRunId,
    joined: first?.id !== alertId,
  };
}

function putCase(state: MemoryState, change: CaseChange): void {
  const now = state.now();
  const before = state.cases.get(change.id);
  if (before !== undefined) {
    before.alertCount += change.alerts;
    before.text = change.text;
    before.updatedAt = now;
    if (change.runId !== null)
      Object.assign(before, { status: 'open', leadingRunId: change.runId, newestRunId: change.runId });
    return;
  }
  const { id, playbook, fingerprint, alerts: alertCount, text } = change;
  const runId = change.runId!;
  const times = { decidedAt: null, createdAt: now, updatedAt: now };
  const runs = { leadingRunId: runId, newestRunId: runId };
  state.cases.set(id, {
    id,
    playbook,
    fingerprint,
    status: 'open',
    alertCount,
    text,
    ...runs,
    ...times,
    order: state.cases.size,
  });
}

type NewRun = Pick<AcceptRequest, 'runId' | 'alertId' | 'lane' | 'settings' | 'firstStage' | 'trace'> & {
  caseId: string;
};

function putRun(state: MemoryState, run: NewRun): void {
  const { runId: id, caseId, alertId, lane, settings, firstStage: stage, trace = null } = run;
  const empty = { reasonCode: null, message: null, action: null, decidedAt: null, endedAt: null };
  state.runs.set(id, {
    id,
    caseId,
    alertId,
    lane,
    settings,
    trace,
    status: 'due',
    ...empty,
    createdAt: state.now(),
  });
  state.putUnit(
    newUnit({ runId: id, unit: '', caseId, lane, stage, round: 1, resumeAt: state.now() + LOOK_AGAIN_MS }),
  );
}

export function openRun(state: MemoryState, given: OpenRunRequest): { runId: string; nudges: StageNudge[] } {
  const request = stored(given);
  const found = state.cases.get(request.caseId);
  if (found === undefined) throw unknownCase(request.caseId);
  const nudges = [firstNudge(request)];
  if (state.runs.has(request.runId)) return { runId: request.runId, nudges };
  const { alertId } = state.runs.get(found.newestRunId)!;
  putRun(state, { ...request, alertId });
  found.newestRunId = request.runId;
  found.updatedAt = state.now();
  if (request.lane === 'live' || request.lane === 'batch') {
    found.leadingRunId = request.runId;
    if (found.status !== 'closed') found.status = 'open';
  }
  state.tell(request, { type: 'run.created', data: runFacts({ ...request, alertId }) });
  return { runId: request.runId, nudges };
}
