import {
  type AlertInput,
  type ArtifactRecord,
  type CaseStatus,
  type Clock,
  type EventRecord,
  type Interaction,
  type JsonObject,
  type Lane,
  type NewEvent,
  type RunSettings,
  type RunStatus,
  type ToolCall,
  type SessionRow,
} from '@casefile/contracts';
import type { KnownKey } from '../plan/accept.js';
import type { UnitState } from '../plan/unit-state.js';
import { stored } from '../storable.js';
import { emptyBudgetBook } from './memory-budgets.js';

export interface CaseEntry {
  id: string;
  playbook: string;
  fingerprint: string | null;
  status: CaseStatus;
  alertCount: number;
  text: string;
  leadingRunId: string;
  newestRunId: string;
  decidedAt: number | null;
  createdAt: number;
  updatedAt: number;
  /** Of two cases made in one millisecond, which came later. */
  order: number;
}

export interface AlertEntry {
  id: string;
  caseId: string;
  receivedAt: string;
  alert: AlertInput & { playbook: string };
}

export interface RunEntry {
  id: string;
  caseId: string;
  alertId: string;
  lane: Lane;
  settings: RunSettings;
  trace: string | null;
  status: RunStatus;
  reasonCode: string | null;
  message: string | null;
  action: string | null;
  createdAt: number;
  decidedAt: number | null;
  endedAt: number | null;
}

export interface CallEntry extends ToolCall {
  caseId: string;
  lane: Lane;
  epoch: number;
  nudges: number;
  crashes: number;
  leaseUntil: number | null;
  resumeAt: number | null;
}

export interface DeliveryEntry {
  id: string;
  runId: string;
  createdAt: number;
  delivered: boolean;
}

export interface BuriedEntry {
  id: string;
  reasonCode: string;
  message: string;
  payload: unknown;
  at: number;
}

/** Everything a memory store knows. What goes in is a copy, as it would be read back from a database. */
export class MemoryState {
  readonly cases = new Map<string, CaseEntry>();
  readonly alerts = new Map<string, AlertEntry>();
  readonly runs = new Map<string, RunEntry>();
  readonly units = new Map<string, UnitState>();
  readonly artifacts: ArtifactRecord[] = [];
  readonly calls = new Map<string, CallEntry>();
  readonly interactions = new Map<string, Interaction>();
  readonly events: EventRecord[] = [];
  readonly deliveries = new Map<string, DeliveryEntry>();
  readonly keys = new Map<string, KnownKey>();
  readonly buried = new Map<string, BuriedEntry>();
  readonly leaders = new Set<string>();
  /** Messages of engagement sessions, in the order of their verdicts. */
  readonly sessions: SessionRow[] = [];
  readonly budgets = emptyBudgetBook();

  constructor(private readonly clock: Clock) {}

  now(): number {
    return this.clock.now();
  }

  iso(at = this.now()): string {
    return new Date(at).toISOString();
  }

  unit(runId: string, unit: string): UnitState | undefined {
    return this.units.get(unitKey(runId, unit));
  }

  putUnit(unit: UnitState): void {
    this.units.set(unitKey(unit.runId, unit.unit), unit);
  }

  /** In the order of their names. */
  unitsOf(runId: string): UnitState[] {
    const units = [...this.units.values()].filter((unit) => unit.runId === runId);
    return units.sort((a, b) => (a.unit < b.unit ? -1 : 1));
  }

  tell(of: { caseId: string | null; runId: string | null }, event: NewEvent): void {
    const id = `1.${this.events.length + 1}`;
    const data = stored(event.data) as JsonObject;
    this.events.push({ id, type: event.type, caseId: of.caseId, runId: of.runId, data, at: this.iso() });
  }
}

function unitKey(runId: string, unit: string): string {
  return `${runId}/${unit}`;
}

/** A unit that is due for the first time. */
export function newUnit(
  of: Pick<UnitState, 'runId' | 'unit' | 'caseId' | 'lane' | 'stage' | 'round' | 'resumeAt'>,
): UnitState {
  return {
    ...of,
    status: 'due',
    epoch: 0,
    nudges: 1,
    leaseUntil: null,
    held: false,
    crashes: 0,
    firstCrashAt: null,
    failures: 0,
    waitStep: null,
    waitSignal: null,
    waitOver: false,
    openUnits: 0,
    leftAt: null,
    pausedMs: 0,
    reasonCode: null,
    message: null,
  };
}
