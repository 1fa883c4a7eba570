import { recordedVerdict, type ArtifactName } from '../artifacts/index.js';
import { CasefileError } from '../errors/casefile-error.js';
import type { JsonObject } from '../json.js';
import { UNIT_NAME } from '../job.js';
import type { ToolRequest } from '../outcome.js';
import type { VerdictEffect } from '../ports/engagement-sessions.js';
import type { StageKey } from '../record.js';
import type { UnitStatus } from '../run-status.js';
import type { AskedSignal } from '../signal.js';

/**
 * Time after a nudge in which the sweeper does not check the row, in milliseconds, so that a worker can fetch
 * the job.
 */
export const LOOK_AGAIN_MS = 10_000;

export interface NewEvent {
  type: string;
  data: JsonObject;
}

/** The artifact that a stage appends. The store writes the rows derived from it. */
export interface NewArtifact {
  name: ArtifactName;
  body: JsonObject;
}

/** The change of the unit's row. Default of each field: null, 0 or false. */
export interface UnitMove {
  toStatus: UnitStatus;
  /** Default: unchanged. */
  toStage?: string;
  toRound?: number;
  /** Default: the sweeper never checks the unit. */
  resumeInMs?: number;
  /** Whether the due unit may not be claimed before its `resumeAt`. */
  held?: boolean;
  /** Whether a job is sent. The counter is raised then. */
  nudged?: boolean;
  /**
   * Whether the counts of crashes and failures are kept. By default they are reset when the unit moves to
   * another step or suspends.
   */
  keepsCounts?: boolean;
  failed?: boolean;
  waitStep?: number;
  waitSignal?: string;
  openUnits?: number;
  /** This unit has ended. When it was the last open unit, the run's own unit becomes due at this stage. */
  endsAt?: string;
  reasonCode?: string;
  message?: string;
}

/** The end of one stage, as its commit writes it. */
export interface Move {
  unit: UnitMove;
  artifact?: NewArtifact;
  /** Tool calls that the unit waits for. */
  calls?: (ToolRequest & { id: string })[];
  /** The question to people while the unit waits, and the timeout. */
  asks?: AskedSignal & { step: number; timeoutMs: number };
  /** Units that begin at the next stage. */
  opens?: { unit: string; stage: string; round: number }[];
  /** The end of the run. */
  end?: { status: 'decided' | 'stopped' | 'parked' | 'quarantined' } & JsonObject;
  /** The id under which the verdict is delivered. */
  delivery?: string;
  /** Whether receivers would act on the verdict as before, so that it is not sent. Default: false. */
  isUnchanged?: boolean;
  effects?: VerdictEffect[];
  /** Events of the stage's end itself. */
  events: NewEvent[];
}

/** The stage that ends. */
type At = Pick<StageKey, 'stage' | 'round' | 'unit'>;

/** The reason, as a code and as a message. */
interface Why {
  reasonCode: string;
  message: string;
}

/** The next step of a unit. */
export interface Onward {
  /** null: this unit has ended, and `joinStage` waits for the others. */
  next: { stage: string; round: number } | null;
  joinStage: string | null;
  /** Open these units at `next`; this unit itself waits at `joinStage`. */
  units: string[];
}

/**
 * Appends an artifact and moves to the next stage.
 * @throws CasefileError `bad_change` if no flow allows this move.
 */
export function advanceUnit(at: At, { artifact, ...onward }: Onward & { artifact: NewArtifact }): Move {
  const { next, units } = onward;
  const opens = next === null ? [] : units.map((unit) => ({ unit, ...next }));
  const done = { artifact: artifact.name, next, ...(opens.length > 0 ? { units } : {}) };
  return {
    unit: nextStageMove(at, onward),
    artifact,
    ...(opens.length > 0 ? { opens } : {}),
    events: [eventOfStep(at, 'stage.completed', done)],
  };
}

/**
 * Appends the verdict and ends the run.
 * @param deliveryId null: the verdict is not delivered and has no outside effects.
 */
export function decideRun(
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
      eventOfStep(at, 'stage.completed', { artifact: artifact.name, next: null }),
      eventOfStep(at, 'verdict.decided', { ...facts, deliveryId }),
    ],
  };
}

/** Suspends the unit until these tool calls are settled or people have answered. */
export function suspendUnit(
  at: At,
  wait: { step: number; calls: NonNullable<Move['calls']>; signal?: AskedSignal; timeoutMs: number },
): Move {
  const { step, calls, signal, timeoutMs } = wait;
  const unit: UnitMove = { toStatus: 'suspended', waitStep: step, resumeInMs: timeoutMs };
  const facts = { step, calls: calls.length };
  if (signal === undefined) return { unit, calls, events: [eventOfStep(at, 'stage.suspended', facts)] };
  return {
    unit: { ...unit, waitSignal: signal.name },
    calls,
    asks: { ...signal, step, timeoutMs },
    events: [eventOfStep(at, 'stage.suspended', { ...facts, signal: signal.name })],
  };
}

/** Postpones the step by `delayMs`. Not a failure. */
export function postponeStep(at: At, { delayMs, reasonCode }: { delayMs: number; reasonCode: string }): Move {
  return {
    unit: { toStatus: 'due', resumeInMs: delayMs, held: true, keepsCounts: true, reasonCode },
    events: [eventOfStep(at, 'stage.postponed', { reasonCode, delayMs })],
  };
}

/** Ends the run for good, without a verdict. */
export const stopRun = (at: At, why: Why): Move => haltRun(at, 'stopped', why);

/** Parks the run: it waits for an operator or a budget, and a redrive wakes it. */
export const parkRun = (at: At, why: Why): Move => haltRun(at, 'parked', why);

/** Handles a failure: the step is retried after `retryInMs`, or the run is quarantined if that is null. */
export function failStep(at: At, { retryInMs, ...why }: Why & { retryInMs: number | null }): Move {
  const counted = { keepsCounts: true, failed: true };
  if (retryInMs === null) return haltRun(at, 'quarantined', why, counted);
  return {
    unit: { toStatus: 'due', ...counted, ...why, resumeInMs: retryInMs, held: true },
    events: [eventOfStep(at, 'stage.failed', { ...why, retryInMs })],
  };
}

/**
 * Returns the stage at which the same unit is due immediately. null: the unit waits, has ended, or opened
 * others.
 */
export function moveNext({ unit }: Move): { stage: string; round: number } | null {
  const { nudged, toStage, toRound } = unit;
  return nudged === true && toStage !== undefined && toRound !== undefined
    ? { stage: toStage, round: toRound }
    : null;
}

function haltRun(
  at: At,
  status: 'stopped' | 'parked' | 'quarantined',
  { reasonCode, message }: Why,
  counted: Partial<UnitMove> = {},
): Move {
  const why = { reasonCode, message };
  return {
    unit: { ...counted, ...why, toStatus: status },
    end: { status, ...why },
    events: [eventOfStep(at, `run.${status}`, why)],
  };
}

function nextStageMove({ unit, round }: At, { next, joinStage, units }: Onward): UnitMove {
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
  if (bad !== undefined) throw badChange(`'${bad}' is not a valid name of a unit, or is listed twice`);
}

function badChange(message: string): CasefileError {
  return new CasefileError('bad_change', message);
}

function eventOfStep({ stage, round, unit }: At, type: string, data: JsonObject): NewEvent {
  return { type, data: { stage, round, unit, ...data } };
}

/** Returns the facts of a verdict for lists and events. The body has been checked against its schema. */
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
