import {
  CasefileError,
  recordedVerdict,
  UNIT_NAME,
  type Change,
  type InlineToolCall,
  type JsonObject,
  type AskedSignal,
  type Lease,
  type NewArtifact,
  type NewEvent,
  type UnitStatus,
  type VerdictEffect,
} from '@casefile/contracts';
import { LOOK_AGAIN_MS } from './unit-state.js';

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

/** The end of one stage: what its commit writes. What is left out is not there. */
export interface Move {
  unit: UnitMove;
  artifact?: NewArtifact;
  /** Tool calls that the unit waits for. */
  calls?: Extract<Change, { kind: 'suspend' }>['calls'];
  /** What people are asked while it waits, and for how long. */
  asks?: AskedSignal & { step: number; timeoutMs: number };
  /** Units that begin at the next stage. */
  opens?: { unit: string; stage: string; round: number }[];
  /** How the run ends. */
  end?: RunEnd;
  /** The id under which the verdict is handed out. */
  delivery?: string;
  effects?: VerdictEffect[];
  /** What is told of the end itself. */
  events: NewEvent[];
}

type RunEnd = { status: 'decided' | 'stopped' | 'parked' | 'quarantined' } & JsonObject;

/**
 * What a commit writes for the stage that ends under this lease with `change`; `stage` is the lease's own, or one that its
 * worker went on to. @throws CasefileError `bad_change` for a change that the flow could not have made.
 */
export function moveOf(lease: Lease, stage: string, change: Change): Move {
  const { round, unit } = lease;
  return endOf(lease, change, (type, data) => ({ type, data: { stage, round, unit, ...data } }));
}

/** The unit's row where its worker claims the next stage with the same write. @throws CasefileError `bad_change` where there is none. */
export function claimedMove(unit: UnitMove): UnitMove {
  if (unit.nudged !== true) throw badChange('there is no next stage to go on with');
  return { ...unit, toStatus: 'running', nudged: false };
}

type Tell = (type: string, data: JsonObject) => NewEvent;

function endOf(lease: Lease, change: Change, tell: Tell): Move {
  switch (change.kind) {
    case 'advance': {
      const { artifact, next, units } = change;
      const done = { artifact: artifact.name, next, ...(units.length > 0 ? { units } : {}) };
      const move: Move = {
        unit: advanced(lease, change),
        artifact,
        events: [tell('stage.completed', done)],
      };
      if (next !== null && units.length > 0) move.opens = units.map((unit) => ({ unit, ...next }));
      return move;
    }
    case 'decide': {
      const { artifact, deliveryId, effects = [] } = change;
      const facts = verdictFacts(artifact.body);
      return {
        artifact,
        unit: { toStatus: 'decided' },
        end: { status: 'decided', ...facts },
        // A verdict that does not leave the system does nothing outside it either.
        ...(deliveryId === null ? {} : { delivery: deliveryId, effects }),
        events: [
          tell('stage.completed', { artifact: artifact.name, next: null }),
          tell('verdict.decided', { ...facts, deliveryId }),
        ],
      };
    }
    case 'suspend': {
      const { step, calls, signal, timeoutMs } = change;
      const unit: UnitMove = { toStatus: 'suspended', waitStep: step, resumeInMs: timeoutMs };
      const told = { step, calls: calls.length };
      if (signal === null) return { unit, calls, events: [tell('stage.suspended', told)] };
      return {
        unit: { ...unit, waitSignal: signal.name },
        calls,
        asks: { ...signal, step, timeoutMs },
        events: [tell('stage.suspended', { ...told, signal: signal.name })],
      };
    }
    case 'later': {
      const { delayMs, reasonCode } = change;
      return {
        unit: { toStatus: 'due', resumeInMs: delayMs, held: true, keepsCounts: true, reasonCode },
        events: [tell('stage.postponed', { reasonCode, delayMs })],
      };
    }
    case 'stop':
      return halted('stopped', 'run.stopped', change, tell);
    case 'park':
      return halted('parked', 'run.parked', change, tell);
    case 'fail': {
      const { reasonCode, message, retryInMs } = change;
      const counted = { keepsCounts: true, failed: true };
      if (retryInMs === null) return halted('quarantined', 'run.quarantined', change, tell, counted);
      const why = { reasonCode, message };
      return {
        unit: { toStatus: 'due', ...counted, ...why, resumeInMs: retryInMs, held: true },
        events: [tell('stage.failed', { reasonCode, message, retryInMs })],
      };
    }
  }
}

function halted(
  status: 'stopped' | 'parked' | 'quarantined',
  event: string,
  { reasonCode, message }: { reasonCode: string; message: string },
  tell: Tell,
  counted: Partial<UnitMove> = {},
): Move {
  const why = { reasonCode, message };
  return {
    unit: { ...counted, ...why, toStatus: status },
    end: { status, ...why },
    events: [tell(event, { reasonCode, message })],
  };
}

function advanced(lease: Lease, { next, joinStage, units }: Extract<Change, { kind: 'advance' }>): UnitMove {
  if (units.length > 0) {
    checkUnits(lease, units);
    if (next === null || joinStage === null)
      throw badChange('units are opened without a next and a joining stage');
    return { toStatus: 'joining', toStage: joinStage, openUnits: units.length };
  }
  if (next !== null) return dueAt(next.stage, next.round);
  if (joinStage === null) throw badChange('a unit ends without a joining stage');
  if (lease.unit === '') return dueAt(joinStage, lease.round);
  return { toStatus: 'finished', endsAt: joinStage };
}

function dueAt(stage: string, round: number): UnitMove {
  return { toStatus: 'due', toStage: stage, toRound: round, resumeInMs: LOOK_AGAIN_MS, nudged: true };
}

function checkUnits(lease: Lease, units: string[]): void {
  if (lease.unit !== '') throw badChange('only the own unit of a run opens units');
  const bad = units.find(
    (unit, index) => unit === '' || !UNIT_NAME.test(unit) || units.indexOf(unit) !== index,
  );
  if (bad !== undefined) throw badChange(`'${bad}' cannot be the name of a unit, or comes twice`);
}

function badChange(message: string): CasefileError {
  return new CasefileError('bad_change', message);
}

type SettledCall = Pick<
  InlineToolCall,
  'id' | 'step' | 'seq' | 'tool' | 'state' | 'reasonCode' | 'durationMs'
>;

/** How a tool call ended. */
export function eventOfCall(at: JsonObject, call: SettledCall): NewEvent {
  const { id, step, seq, tool, state, reasonCode, durationMs } = call;
  return {
    type: 'tool-call.completed',
    data: { ...at, toolCallId: id, step, seq, tool, state, reasonCode, durationMs },
  };
}

/** The facts of a verdict that lists and events show. The executor has held its body to its schema. */
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
