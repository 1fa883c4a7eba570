import { CasefileError, UNIT_NAME, type Change, type Lease, type UnitStatus } from '@casefile/contracts';
import { LOOK_AGAIN_MS } from './unit-state.js';

/** What a commit does to the unit's due row; the same for every store. */
export interface Move {
  status: UnitStatus;
  /** null: as it is. */
  stage: string | null;
  round: number | null;
  /** null: the sweeper never looks at it. */
  resumeInMs: number | null;
  /** Due, but not before its time. */
  held: boolean;
  /** Is a job to be sent? Then the counter goes up. */
  nudged: boolean;
  /** Crashes and failures belong to one step: they start again when the unit goes on, and when it comes as far as a wait. */
  keepsCounts: boolean;
  failed: boolean;
  waitStep: number | null;
  waitSignal: string | null;
  openUnits: number;
  /** This unit has done its part: the run's own unit is due at this stage when it was the last. */
  endsAt: string | null;
  reasonCode: string | null;
  message: string | null;
}

const NO_MOVE: Move = {
  status: 'due',
  stage: null,
  round: null,
  resumeInMs: null,
  held: false,
  nudged: false,
  keepsCounts: false,
  failed: false,
  waitStep: null,
  waitSignal: null,
  openUnits: 0,
  endsAt: null,
  reasonCode: null,
  message: null,
};

export function moveOf(lease: Lease, change: Change): Move {
  switch (change.kind) {
    case 'advance':
      return advance(lease, change);
    case 'decide':
      return { ...NO_MOVE, status: 'decided' };
    case 'suspend': {
      const { step, signal, timeoutMs } = change;
      return { ...NO_MOVE, status: 'suspended', resumeInMs: timeoutMs, waitStep: step, waitSignal: signal };
    }
    case 'later': {
      const again = { resumeInMs: change.delayMs, held: true, keepsCounts: true };
      return { ...NO_MOVE, ...again, reasonCode: change.reasonCode };
    }
    case 'stop':
      return { ...NO_MOVE, status: 'stopped', reasonCode: change.reasonCode, message: change.message };
    case 'park':
      return { ...NO_MOVE, status: 'parked', reasonCode: change.reasonCode, message: change.message };
    case 'fail': {
      const why = { reasonCode: change.reasonCode, message: change.message, keepsCounts: true, failed: true };
      if (change.retryInMs === null) return { ...NO_MOVE, ...why, status: 'quarantined' };
      return { ...NO_MOVE, ...why, resumeInMs: change.retryInMs, held: true };
    }
  }
}

function advance(lease: Lease, change: Extract<Change, { kind: 'advance' }>): Move {
  const { next, joinStage, units } = change;
  if (units.length > 0) {
    checkUnits(lease, units);
    if (next === null || joinStage === null)
      throw badChange('units are opened without a next and a joining stage');
    return { ...NO_MOVE, status: 'joining', stage: joinStage, openUnits: units.length };
  }
  if (next !== null) return dueAt(next.stage, next.round);
  if (joinStage === null) throw badChange('a unit ends without a joining stage');
  if (lease.unit === '') return dueAt(joinStage, lease.round);
  return { ...NO_MOVE, status: 'finished', endsAt: joinStage };
}

function dueAt(stage: string, round: number): Move {
  return { ...NO_MOVE, stage, round, resumeInMs: LOOK_AGAIN_MS, nudged: true };
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
