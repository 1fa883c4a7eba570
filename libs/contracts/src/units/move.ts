import { recordedVerdict, type ArtifactName } from '../artifacts/index.js';
import { CasefileError } from '../errors/casefile-error.js';
import type { JsonObject } from '../json.js';
import { UNIT_NAME } from '../job.js';
import type { ToolRequest } from '../outcome.js';
import type { VerdictEffect } from '../ports/engagement-sessions.js';
import type { StageKey } from '../record.js';
import type { UnitStatus } from '../run-status.js';
import type { AskedSignal } from '../signal.js';

/** After a nudge the sweeper leaves the row alone for this long, in milliseconds: time enough for a job to be fetched. */
export const LOOK_AGAIN_MS = 10_000;

export interface NewEvent {
  type: string;
  data: JsonObject;
}

/** The artifact a stage appends. Rows that are derived from it are the store's affair. */
export interface NewArtifact {
  name: ArtifactName;
  body: JsonObject;
}

/** What becomes of the unit's own row; what is left out is null, 0 or false. */
export interface UnitMove {
  toStatus: UnitStatus;
  /** Left out: as it is. */
  toStage?: string;
  toRound?: number;
  /** Left out: the sweeper never looks at it. */
  resumeInMs?: number;
  /** Due, but not before its time. */
  held?: boolean;
  /** Is a job to be sent? Then the counter goes up. */
  nudged?: boolean;
  /** Crashes and failures belong to one step: they start again when the unit goes on, and when it comes as far as a wait. */
  keepsCounts?: boolean;
  failed?: boolean;
  waitStep?: number;
  waitSignal?: string;
  openUnits?: number;
  /** This unit has done its part: the run's own unit is due at this stage when it was the last. */
  endsAt?: string;
  reasonCode?: string;
  message?: string;
}

/** The end of one stage, as its commit writes it. What is left out is not there. */
export interface Move {
  unit: UnitMove;
  artifact?: NewArtifact;
  /** Tool calls that the unit waits for. */
  calls?: (ToolRequest & { id: string })[];
  /** What people are asked while it waits, and for how long. */
  asks?: AskedSignal & { step: number; timeoutMs: number };
  /** Units that begin at the next stage. */
  opens?: { unit: string; stage: string; round: number }[];
  /** How the run ends. */
  end?: { status: 'decided' | 'stopped' | 'parked' | 'quarantined' } & JsonObject;
  /** The id under which the verdict is handed out. */
  delivery?: string;
  effects?: VerdictEffect[];
  /** What is told of the end itself. */
  events: NewEvent[];
}

/** The stage that ends. */
type At = Pick<StageKey, 'stage' | 'round' | 'unit'>;

/** Why, in a code and in words. */
interface Why {
  reasonCode: string;
  message: string;
}

/** Where a unit goes on. */
export interface Onward {
  /** null: this unit has done its part and `joinStage` waits for the others. */
  next: { stage: string; round: number } | null;
  joinStage: string | null;
  /** Open these units at `next`; this unit itself waits at `joinStage`. */
  units: string[];
}

/** Appends and goes on. @throws CasefileError `bad_change` where the flow cannot have said so. */
export function advanced(at: At, { artifact, ...onward }: Onward & { artifact: NewArtifact }): Move {
  const { next, units } = onward;
  const opens = next === null ? [] : units.map((unit) => ({ unit, ...next }));
  const done = { artifact: artifact.name, next, ...(opens.length > 0 ? { units } : {}) };
  return {
    unit: onwardOf(at, onward),
    artifact,
    ...(opens.length > 0 ? { opens } : {}),
    events: [told(at, 'stage.completed', done)],
  };
}

/**
 * Appends the verdict and ends the run.
 * @param deliveryId null: the verdict does not leave the system, and does nothing outside it either.
 */
export function decided(
  at: At,
  verdict: { artifact: NewArtifact; deliveryId: string | null; effects?: VerdictEffect[] },
): Move {
  const { artifact, deliveryId, effects = [] } = verdict;
  const facts = verdictFacts(artifact.body);
  return {
    artifact,
    unit: { toStatus: 'decided' },
    end: { status: 'decided', ...facts },
    ...(deliveryId === null ? {} : { delivery: deliveryId, effects }),
    events: [
      told(at, 'stage.completed', { artifact: artifact.name, next: null }),
      told(at, 'verdict.decided', { ...facts, deliveryId }),
    ],
  };
}

/** Waits until these tool calls have answered, or people have. */
export function suspended(
  at: At,
  wait: { step: number; calls: NonNullable<Move['calls']>; signal?: AskedSignal; timeoutMs: number },
): Move {
  const { step, calls, signal, timeoutMs } = wait;
  const unit: UnitMove = { toStatus: 'suspended', waitStep: step, resumeInMs: timeoutMs };
  const facts = { step, calls: calls.length };
  if (signal === undefined) return { unit, calls, events: [told(at, 'stage.suspended', facts)] };
  return {
    unit: { ...unit, waitSignal: signal.name },
    calls,
    asks: { ...signal, step, timeoutMs },
    events: [told(at, 'stage.suspended', { ...facts, signal: signal.name })],
  };
}

/** Tries again after `delayMs`; no failure. */
export function postponed(at: At, { delayMs, reasonCode }: { delayMs: number; reasonCode: string }): Move {
  return {
    unit: { toStatus: 'due', resumeInMs: delayMs, held: true, keepsCounts: true, reasonCode },
    events: [told(at, 'stage.postponed', { reasonCode, delayMs })],
  };
}

/** Ends the run for good, without a verdict. */
export const stopped = (at: At, why: Why): Move => halted(at, 'stopped', why);

/** Waits for a person or a budget; a redrive wakes it. */
export const parked = (at: At, why: Why): Move => halted(at, 'parked', why);

/** A failure of ours: tried again after `retryInMs`, or null: quarantined. */
export function failed(at: At, { retryInMs, ...why }: Why & { retryInMs: number | null }): Move {
  const counted = { keepsCounts: true, failed: true };
  if (retryInMs === null) return halted(at, 'quarantined', why, counted);
  return {
    unit: { toStatus: 'due', ...counted, ...why, resumeInMs: retryInMs, held: true },
    events: [told(at, 'stage.failed', { ...why, retryInMs })],
  };
}

/** Where the same unit is due at once; null: it waits, has ended, or opened others. */
export function nextOf({ unit }: Move): { stage: string; round: number } | null {
  const { nudged, toStage, toRound } = unit;
  return nudged === true && toStage !== undefined && toRound !== undefined
    ? { stage: toStage, round: toRound }
    : null;
}

function halted(
  at: At,
  status: 'stopped' | 'parked' | 'quarantined',
  { reasonCode, message }: Why,
  counted: Partial<UnitMove> = {},
): Move {
  const why = { reasonCode, message };
  return {
    unit: { ...counted, ...why, toStatus: status },
    end: { status, ...why },
    events: [told(at, `run.${status}`, why)],
  };
}

function onwardOf({ unit, round }: At, { next, joinStage, units }: Onward): UnitMove {
  if (units.length > 0) {
    checkUnits(unit, units);
    if (next === null || joinStage === null)
      throw badChange('units are opened without a next and a joining stage');
    return { toStatus: 'joining', toStage: joinStage, openUnits: units.length };
  }
  if (next !== null) return dueAt(next.stage, next.round);
  if (joinStage === null) throw badChange('a unit ends without a joining stage');
  return unit === '' ? dueAt(joinStage, round) : { toStatus: 'finished', endsAt: joinStage };
}

function dueAt(stage: string, round: number): UnitMove {
  return { toStatus: 'due', toStage: stage, toRound: round, resumeInMs: LOOK_AGAIN_MS, nudged: true };
}

function checkUnits(own: string, units: string[]): void {
  if (own !== '') throw badChange('only the own unit of a run opens units');
  const bad = units.find(
    (unit, index) => unit === '' || !UNIT_NAME.test(unit) || units.indexOf(unit) !== index,
  );
  if (bad !== undefined) throw badChange(`'${bad}' cannot be the name of a unit, or comes twice`);
}

function badChange(message: string): CasefileError {
  return new CasefileError('bad_change', message);
}

function told({ stage, round, unit }: At, type: string, data: JsonObject): NewEvent {
  return { type, data: { stage, round, unit, ...data } };
}

/** The facts of a verdict that lists and events show. Its body is held to its schema before. */
function verdictFacts(body: JsonObject): JsonObject {
  const { disposition, confidence, degraded, degradedBy, degradedNote, method, outcome } =
    recordedVerdict(body);
  const action = outcome?.['action'];
  return {
    disposition,
    action: typeof action === 'string' ? action : null,
    confidence,
    degraded,
    degradedBy,
    degradedNote,
    method,
  };
}
