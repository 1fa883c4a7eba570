import type { Alert, ArtifactName } from '../artifacts/index.js';
import type { JsonObject } from '../json.js';
import type { Lane, Nudge } from '../job.js';
import type { Move, NewEvent } from '../units/move.js';
import type { Interaction, InteractionResult, StageKey, ToolCall } from '../record.js';
import type { RunSettings } from '../settings.js';
import type { SignalRecord } from '../signal.js';

export interface ClaimRequest extends StageKey {
  /** Does the stage read the alert itself (with its image)? */
  readsAlert: boolean;
  reads: readonly ArtifactName[];
  readsPrevious: readonly ArtifactName[];
  /** A joining stage gets the artifacts of every unit. */
  joins: boolean;
  leaseMs: number;
  /** Crashes of one step within `crashWindowMs` after which the run is quarantined. */
  maxCrashes: number;
  crashWindowMs: number;
  /**
   * What becomes of a unit whose next crash would quarantine it. `take`, as left out: it is claimed like any other. `refuse`: it
   * stays as it is. `holdMs`: it is not claimed either, what it has crashed is counted, and it is due after so many milliseconds.
   */
  lastTry?: 'take' | 'refuse' | { holdMs: number };
}

/** The right to work on a unit. Every later write carries it; one with an old epoch is refused. */
export interface Lease extends StageKey {
  epoch: number;
}

/** Artifacts of one unit, by name. */
export type ArtifactSet = Partial<Record<ArtifactName, JsonObject>>;

/** Of a stage that is begun for the first time: nothing of it is on the record. */
export function nothingBefore(): Pick<
  ClaimedWork,
  | 'previous'
  | 'units'
  | 'interactions'
  | 'toolCalls'
  | 'signals'
  | 'crashes'
  | 'failures'
  | 'pausedMs'
  | 'waitOver'
> {
  return {
    previous: {},
    units: [],
    interactions: [],
    toolCalls: [],
    signals: [],
    crashes: 0,
    failures: 0,
    pausedMs: 0,
    waitOver: false,
  };
}

export interface ClaimedWork {
  lease: Lease;
  caseId: string;
  lane: Lane;
  settings: RunSettings;
  /** The run's trace, as W3C `traceparent`. */
  trace: string | null;
  alert: Alert | null;
  /**
   * For each name in `reads`: the one of the highest round not above this one, of this unit or else of
   * the run's own unit `''` (what was appended before the units were opened).
   */
  artifacts: ArtifactSet;
  /** For each name in `readsPrevious`: the one of the highest round below this one. */
  previous: ArtifactSet;
  /**
   * For a joining stage: the `reads` of every unit (each with the fall-back to `''`), highest round each, in the
   * order of unit names; a run without opened units has the one unit `''`. Else empty.
   */
  units: { unit: string; artifacts: ArtifactSet }[];
  /** The journal of this stage key, by step and attempt, without what its tool calls asked. */
  interactions: Interaction[];
  toolCalls: ToolCall[];
  /** What it asked people at this stage key. */
  signals: SignalRecord[];
  /** Earlier crashes of this step that still count. */
  crashes: number;
  /** Failures of this step that were tried again. */
  failures: number;
  /**
   * How long nobody has worked at this step in all, in milliseconds: from when a holder that died was last heard of, or
   * gave the lease back (it stopped, or failed), to the next claim. Waits that the step asked for itself do not count.
   */
  pausedMs: number;
  /**
   * The stage was suspended and its time is over: go on with what is there. What was open of the awaited step is settled
   * for good by then, as failed (`tool_timeout`): an answer that comes later would change what was gone on with.
   */
  waitOver: boolean;
}

export type ClaimResult =
  | { kind: 'claimed'; work: ClaimedWork }
  /**
   * `leased`: somebody works on it. `moved-on`: this stage and round are done; `nudges` wakes what is
   * due now. `quarantined`: this claim found the last crash that was allowed; the run is out. `last-try`: see `lastTry`.
   */
  | {
      kind: 'refused';
      reason: 'leased' | 'moved-on' | 'unknown' | 'quarantined' | 'suspended' | 'last-try';
      nudges: Nudge[];
    };

/** A tool call that was run inside the stage, already settled. */
export type InlineToolCall = Pick<
  ToolCall,
  | 'id'
  | 'step'
  | 'seq'
  | 'tool'
  | 'args'
  | 'state'
  | 'attempts'
  | 'result'
  | 'source'
  | 'reasonCode'
  | 'message'
  | 'durationMs'
  | 'readFrom'
> &
  Partial<Pick<ToolCall, 'settledAt'>>;

/** An answer on the record of another run that was read in place of a model call. It is copied where it lies. */
export interface AnswerRead {
  id: string;
  /** The call that it is the answer of. */
  of: string;
  step: number;
  attempt: number;
  /** The tool call that asked; null: the stage. */
  toolCallId: string | null;
}

/** A stage that its worker has ended under the lease of the stage before it, and gone on from without writing. */
export interface EndedStage {
  stage: string;
  /** On to the stage that was worked next, in the same round. */
  move: Move;
  inlineToolCalls: InlineToolCall[];
  /** Left out: none. */
  answersRead?: AnswerRead[];
  events: NewEvent[];
  /** How long ago it ended, in milliseconds: its artifact and events are that old. */
  agoMs: number;
}

export interface CommitRequest {
  /** As it is on the record: of the first of the stages that end. */
  lease: Lease;
  /** Stages that ended before this one under the same lease, in their order; left out: none. */
  earlier?: EndedStage[];
  /** The stage that ends, where stages ended before it; left out: the lease's own. */
  stage?: string;
  move: Move;
  results: InteractionResult[];
  inlineToolCalls: InlineToolCall[];
  /** Left out: none. */
  answersRead?: AnswerRead[];
  events: NewEvent[];
  /** The worker goes on with the next stage itself: it is claimed for so long, and no job is sent. */
  claimForMs?: number;
}

export type CommitResult =
  | {
      kind: 'committed';
      nudges: Nudge[];
      /** The claim of the next stage, where one was asked for. */
      lease?: Lease;
    }
  /** The lease is not ours any more: nothing was written. */
  | { kind: 'stale' };

/** Something that should have a live job. */
export interface SweepCandidate {
  nudge: Nudge;
}

export interface Leadership {
  release(): Promise<void>;
}

/**
 * Units of runs on their way through the stages. A due row says in `resumeAt` when the sweeper should look at it next, whatever
 * its status: `due`: some seconds after its nudge; `running`: when the lease is over; `suspended`: when its wait is
 * over; `later`: when it should be tried again.
 */
export interface Units {
  /**
   * Claims and loads in one round trip. Succeeds when the unit is due at exactly this stage and
   * round and no live lease is on it; raises the epoch. A claim of a row whose lease ran out
   * counts a crash of this step; pending interactions of the step become `ambiguous`. When the wait is
   * over, tool calls of the awaited step that are still open are settled as failed, `tool_timeout`.
   */
  claim(request: ClaimRequest): Promise<ClaimResult>;

  /** Extends the leases; returns those that were lost (epoch raised or row gone). */
  renew(leases: Lease[], leaseMs: number): Promise<Lease[]>;

  /**
   * Ends a stage in one transaction: results, inline tool calls, the artifact (and the rows derived from it), the
   * unit's next state, events. A raised epoch refuses it all. The nudges it returns carry counters already raised.
   * With `units`, those are opened at `next` and this unit waits (`joining`); when the last open unit ends
   * (`next: null`) the run's own unit is made due at `joinStage`.
   * A move that waits inserts the calls that are not on the record yet; when every call of the step is settled
   * already, the unit is due again at once.
   */
  commit(request: CommitRequest): Promise<CommitResult>;

  /**
   * Gives a lease back unused, not counted as a crash: due again at once, or after `pauseMs`, when the sweeper sends its job.
   */
  release(lease: Lease, pauseMs?: number): Promise<Nudge[]>;

  /** Rows whose `resumeAt` has passed, oldest first, of these cases or of all: waits that are over are made due on the way. */
  sweep(limit: number, cases?: readonly string[]): Promise<SweepCandidate[]>;

  /** Every unit and tool call that should have a job (the queue store was emptied), in pages by `after`. */
  allDue(after: string | null, limit: number): Promise<{ candidates: SweepCandidate[]; next: string | null }>;

  /** Raises the counters of these rows, when they are still as the candidate says; returns the nudges to send. */
  renudge(candidates: SweepCandidate[]): Promise<Nudge[]>;

  /** These have a live job: look again after `delayMs`. */
  postpone(candidates: SweepCandidate[], delayMs: number): Promise<void>;
}
