import type { Nudge, PendingDelivery, SweepCandidate } from '@casefile/contracts';
import { LOOK_AGAIN_MS, nudgeOf, type UnitState } from '../plan/unit-state.js';
import { stored } from '../storable.js';
import { toolNudgeOf } from './memory-claim.js';
import type { CallEntry, DeliveryEntry, MemoryState } from './memory-state.js';

const isOver = (state: MemoryState, at: number | null): boolean => at !== null && at <= state.now();
const byAge = (a: { resumeAt: number | null }, b: { resumeAt: number | null }): number =>
  a.resumeAt! - b.resumeAt!;

export function sweep(state: MemoryState, limit: number): SweepCandidate[] {
  const units = [...state.units.values()].filter(
    (unit) => isOver(state, unit.resumeAt) && ['due', 'running', 'suspended'].includes(unit.status),
  );
  const calls = [...state.calls.values()].filter((call) => isOver(state, call.resumeAt));
  for (const unit of units.sort(byAge).slice(0, limit)) wakeOver(unit);
  const found = [
    ...units.slice(0, limit).map((unit) => ({ at: unit.resumeAt!, nudge: nudgeOf(unit) as Nudge })),
    ...calls.sort(byAge).map((call) => ({ at: call.resumeAt!, nudge: toolNudgeOf(call) as Nudge })),
  ];
  return found
    .sort((a, b) => a.at - b.at)
    .slice(0, limit)
    .map(({ nudge }) => ({ nudge }));
}

function wakeOver(unit: UnitState): void {
  if (unit.status === 'suspended') Object.assign(unit, { status: 'due', waitOver: true });
  unit.held = false;
}

export function allDue(
  state: MemoryState,
  after: string | null,
  limit: number,
): { candidates: SweepCandidate[]; next: string | null } {
  const live = (runId: string): boolean => state.runs.get(runId)?.status === 'due';
  const units = [...state.units.values()]
    .filter(
      (unit) => live(unit.runId) && unit.status === 'due' && (!unit.held || isOver(state, unit.resumeAt)),
    )
    .map((unit) => ({ key: `unit/${unit.runId}/${unit.unit}`, nudge: nudgeOf(unit) as Nudge }));
  const calls = [...state.calls.values()]
    .filter((call) => live(call.runId) && call.state === 'pending')
    .map((call) => ({ key: `zcall/${call.runId}/${call.id}`, nudge: toolNudgeOf(call) as Nudge }));
  const all = [...units, ...calls].sort((a, b) => (a.key < b.key ? -1 : 1));
  const page = all.filter(({ key }) => after === null || key > after).slice(0, limit);
  const next = page.length === limit ? page.at(-1)!.key : null;
  return { candidates: page.map(({ nudge }) => ({ nudge })), next };
}

/** The row of a candidate, when it is still as the candidate says. */
function same(state: MemoryState, { nudge }: SweepCandidate): UnitState | CallEntry | null {
  if (nudge.kind === 'tool') {
    const call = state.calls.get(nudge.toolCallId);
    if (call === undefined || call.nudges !== nudge.nudge) return null;
    return call.state === 'pending' || (call.state === 'running' && isOver(state, call.leaseUntil))
      ? call
      : null;
  }
  const unit = state.unit(nudge.runId, nudge.unit);
  if (unit === undefined || unit.nudges !== nudge.nudge) return null;
  if (unit.stage !== nudge.stage || unit.round !== nudge.round) return null;
  if (unit.held && !isOver(state, unit.resumeAt)) return null;
  return unit.status === 'due' || (unit.status === 'running' && isOver(state, unit.leaseUntil)) ? unit : null;
}

export function renudge(state: MemoryState, candidates: SweepCandidate[]): Nudge[] {
  return candidates.flatMap((candidate) => {
    const row = same(state, candidate);
    if (row === null) return [];
    row.nudges += 1;
    row.resumeAt = state.now() + LOOK_AGAIN_MS;
    if ('held' in row) row.held = false;
    return [{ ...candidate.nudge, nudge: row.nudges }];
  });
}

export function postpone(state: MemoryState, candidates: SweepCandidate[], delayMs: number): void {
  for (const candidate of candidates) {
    const row = same(state, candidate);
    if (row !== null && isOver(state, row.resumeAt)) row.resumeAt = state.now() + delayMs;
  }
}

export function pendingDeliveries(state: MemoryState, limit: number, olderThanMs: number): PendingDelivery[] {
  const due = [...state.deliveries.values()].filter(
    (entry) => !entry.delivered && entry.createdAt <= state.now() - olderThanMs,
  );
  return due.slice(0, limit).map((entry) => deliveryOf(state, entry));
}

export function delivery(state: MemoryState, runId: string): PendingDelivery | null {
  const entry = [...state.deliveries.values()].find((one) => one.runId === runId);
  return entry === undefined ? null : deliveryOf(state, entry);
}

function deliveryOf(state: MemoryState, { id: deliveryId, runId }: DeliveryEntry): PendingDelivery {
  const { caseId, lane } = state.runs.get(runId)!;
  const { playbook } = state.cases.get(caseId)!;
  const verdict = state.artifacts.find((one) => one.runId === runId && one.artifact === 'verdict')!.body;
  return stored({ deliveryId, caseId, runId, playbook, lane, verdict });
}
