import {
  CasefileError,
  recordedVerdict,
  UNIT_NAME,
  type Change,
  type CommitRequest,
  type EndedStage,
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

/** What becomes of the unit's own row, by the columns of the commit. */
export interface UnitMove {
  to_status: UnitStatus;
  /** null: as it is. */
  to_stage: string | null;
  to_round: number | null;
  /** null: the sweeper never looks at it. */
  resume_in_ms: number | null;
  /** Due, but not before its time. */
  held: boolean;
  /** Is a job to be sent? Then the counter goes up. */
  nudged: boolean;
  /** Crashes and failures belong to one step: they start again when the unit goes on, and when it comes as far as a wait. */
  keeps_counts: boolean;
  failed: boolean;
  wait_step: number | null;
  wait_signal: string | null;
  open_units: number;
  /** This unit has done its part: the run's own unit is due at this stage when it was the last. */
  ends_at: string | null;
  reason_code: string | null;
  message: string | null;
  /** The stage that ends: the lease's own, or one that its worker went on to. */
  at_stage: string;
  /** The next stage is claimed for so long; null: it is due. */
  claim_ms: number | null;
}

/** The end of one stage: what its commit writes. */
export interface Move<Unit = UnitMove> {
  unit: Unit;
  artifact: NewArtifact | null;
  /** Tool calls that the unit waits for. */
  calls: Extract<Change, { kind: 'suspend' }>['calls'];
  /** What people are asked while it waits, and for how long; null: nothing. */
  asks: (AskedSignal & { step: number; timeout_ms: number }) | null;
  /** Units that begin at the next stage. */
  opens: { unit: string; stage: string; round: number }[];
  /** How the run ends; null: it goes on. */
  end: RunEnd | null;
  /** The id under which the verdict is handed out; null: it is not. */
  delivery: string | null;
  effects: VerdictEffect[];
  events: NewEvent[];
}

type RunEnd = { status: 'decided' | 'stopped' | 'parked' | 'quarantined' } & JsonObject;

type Stays = Omit<UnitMove, 'at_stage' | 'claim_ms'>;
const STAYS: Stays = {
  to_status: 'due',
  to_stage: null,
  to_round: null,
  resume_in_ms: null,
  held: false,
  nudged: false,
  keeps_counts: false,
  failed: false,
  wait_step: null,
  wait_signal: null,
  open_units: 0,
  ends_at: null,
  reason_code: null,
  message: null,
};

/** What a commit writes for the stage that it ends. @throws CasefileError `bad_change` for one that the flow could not have made. */
export function moveOf(request: CommitRequest): Move {
  const { lease, stage = lease.stage, change, claimForMs = null } = request;
  const move = told(lease, stage, request, endOf(lease, change, teller(lease, stage)));
  const unit = { ...move.unit, at_stage: stage, claim_ms: claimForMs };
  if (claimForMs === null) return { ...move, unit };
  if (!unit.nudged) throw badChange('there is no next stage to go on with');
  return { ...move, unit: { ...unit, to_status: 'running', nudged: false } };
}

/** What a commit writes for a stage that ended before. */
export function appendedBy(lease: Lease, ended: EndedStage): Pick<Move, 'artifact' | 'events'> {
  return told(lease, ended.stage, ended, endOf(lease, ended.change, teller(lease, ended.stage)));
}

function told<M extends Pick<Move, 'events'>>(
  { round, unit }: Lease,
  stage: string,
  { inlineToolCalls, events }: Pick<CommitRequest, 'inlineToolCalls' | 'events'>,
  move: M,
): M {
  const called = inlineToolCalls.map((call) => eventOfCall({ stage, round, unit }, call));
  return { ...move, events: [...called, ...events, ...move.events] };
}

function teller({ round, unit }: Lease, stage: string): Tell {
  return (type, data) => ({ type, data: { stage, round, unit, ...data } });
}

type Tell = (type: string, data: JsonObject) => NewEvent;
const NOTHING: Move<Stays> = {
  unit: STAYS,
  artifact: null,
  calls: [],
  asks: null,
  opens: [],
  end: null,
  delivery: null,
  effects: [],
  events: [],
};

function endOf(lease: Lease, change: Change, tell: Tell): Move<Stays> {
  switch (change.kind) {
    case 'advance': {
      const { artifact, next, units } = change;
      const done = { artifact: artifact.name, next, ...(units.length > 0 ? { units } : {}) };
      return {
        ...NOTHING,
        artifact,
        unit: advanced(lease, change),
        opens: next === null ? [] : units.map((unit) => ({ unit, ...next })),
        events: [tell('stage.completed', done)],
      };
    }
    case 'decide': {
      const { artifact, deliveryId, effects = [] } = change;
      const facts = verdictFacts(artifact.body);
      return {
        ...NOTHING,
        artifact,
        unit: { ...STAYS, to_status: 'decided' },
        end: { status: 'decided', ...facts },
        delivery: deliveryId,
        // A verdict that does not leave the system does nothing outside it either.
        effects: deliveryId === null ? [] : effects,
        events: [
          tell('stage.completed', { artifact: artifact.name, next: null }),
          tell('verdict.decided', { ...facts, deliveryId }),
        ],
      };
    }
    case 'suspend': {
      const { step, calls, signal, timeoutMs } = change;
      const wait = { wait_step: step, wait_signal: signal?.name ?? null, resume_in_ms: timeoutMs };
      const asked: JsonObject = signal === null ? {} : { signal: signal.name };
      return {
        ...NOTHING,
        calls,
        asks: signal === null ? null : { ...signal, step, timeout_ms: timeoutMs },
        unit: { ...STAYS, ...wait, to_status: 'suspended' },
        events: [tell('stage.suspended', { step, calls: calls.length, ...asked })],
      };
    }
    case 'later': {
      const { delayMs, reasonCode } = change;
      return {
        ...NOTHING,
        unit: {
          ...STAYS,
          resume_in_ms: delayMs,
          held: true,
          keeps_counts: true,
          reason_code: reasonCode,
        },
        events: [tell('stage.postponed', { reasonCode, delayMs })],
      };
    }
    case 'stop':
      return halted('stopped', 'run.stopped', change, tell);
    case 'park':
      return halted('parked', 'run.parked', change, tell);
    case 'fail': {
      const { reasonCode, message, retryInMs } = change;
      const counted = { keeps_counts: true, failed: true };
      if (retryInMs === null) return halted('quarantined', 'run.quarantined', change, tell, counted);
      const why = { reason_code: reasonCode, message };
      return {
        ...NOTHING,
        unit: { ...STAYS, ...counted, ...why, resume_in_ms: retryInMs, held: true },
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
  counted: Partial<Stays> = {},
): Move<Stays> {
  const why = { reason_code: reasonCode, message };
  return {
    ...NOTHING,
    unit: { ...STAYS, ...counted, ...why, to_status: status },
    end: { status, ...why },
    events: [tell(event, { reasonCode, message })],
  };
}

function advanced(lease: Lease, { next, joinStage, units }: Extract<Change, { kind: 'advance' }>): Stays {
  if (units.length > 0) {
    checkUnits(lease, units);
    if (next === null || joinStage === null)
      throw badChange('units are opened without a next and a joining stage');
    return { ...STAYS, to_status: 'joining', to_stage: joinStage, open_units: units.length };
  }
  if (next !== null) return dueAt(next.stage, next.round);
  if (joinStage === null) throw badChange('a unit ends without a joining stage');
  if (lease.unit === '') return dueAt(joinStage, lease.round);
  return { ...STAYS, to_status: 'finished', ends_at: joinStage };
}

function dueAt(stage: string, round: number): Stays {
  return { ...STAYS, to_stage: stage, to_round: round, resume_in_ms: LOOK_AGAIN_MS, nudged: true };
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
