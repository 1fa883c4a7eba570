import type { Alert, ArtifactName } from '../artifacts/index.js';
import type { JsonObject } from '../json.js';
import type { Lane, Nudge } from '../job.js';
import type { Move, NewEvent } from '../units/move.js';
import type { Interaction, InteractionResult, StageKey, ToolCall } from '../record.js';
import type { RunSettings } from '../settings.js';
import type { SignalRecord } from '../signal.js';

export interface ClaimRequest extends StageKey {
  /** Whether the stage reads the alert (with its image). */
  readsAlert: boolean;
  reads: readonly ArtifactName[];
  readsPrevious: readonly ArtifactName[];
  /** Whether the stage joins units: it then gets the artifacts of every unit. */
  joins: boolean;
  leaseMs: number;
  /** Number of crashes of one step within `crashWindowMs` after which the run is quarantined. */
  maxCrashes: number;
  crashWindowMs: number;
  /**
   * Handling of a unit whose next crash would quarantine it. `take` (default): claim it like any other.
   * `refuse`: leave it unchanged. `holdMs`: do not claim it; count its crash, and make it due after this many
   * milliseconds.
   */
  lastTry?: 'take' | 'refuse' | { holdMs: number };
}

/** The right to work on a unit. Every later write carries the lease. A write with an old epoch is refused. */
export interface Lease extends StageKey {
  epoch: number;
}

/** Artifacts of one unit, by name. */
export type ArtifactSet = Partial<Record<ArtifactName, JsonObject>>;

/** Returns the empty history of a stage that begins for the first time. */
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
   * Per name in `reads`: the artifact of the highest round so far, from this unit, or else from the run's
   * main unit `''` (appended before the units were opened).
   */
  artifacts: ArtifactSet;
  /** Per name in `readsPrevious`: the artifact of the highest round below this one. */
  previous: ArtifactSet;
  /**
   * For a joining stage: the `reads` of every unit (each with the fallback to `''`), from the highest round,
   * in the order of unit names. A run without opened units has the single unit `''`. Otherwise empty.
   */
  units: { unit: string; artifacts: ArtifactSet }[];
  /** The recorded model calls of this stage key, by step and attempt, without those of its tool calls. */
  interactions: Interaction[];
  toolCalls: ToolCall[];
  /** Questions to people at this stage key. */
  signals: SignalRecord[];
  /** Earlier crashes of this step that still count. */
  crashes: number;
  /** Failures of this step that were retried. */
  failures: number;
  /**
   * Total time without a worker on this step, in milliseconds. A pause starts when a crashed worker last
   * renewed its lease, or when a worker released it (it stopped or failed). It ends with the next claim.
   * Waits that the step itself requested do not count.
   */
  pausedMs: number;
  /**
   * The stage was suspended and its waiting time is over: continue with the available results. Calls of the
   * awaited step that were still open are settled as failed (`tool_timeout`), so that a late answer cannot
   * change the input.
   */
  waitOver: boolean;
}

export type ClaimResult =
  | { kind: 'claimed'; work: ClaimedWork }
  /**
   * `leased`: another worker has the unit. `moved-on`: this stage and round are done; `nudges` wakes the
   * units that are due now. `quarantined`: this claim found one crash too many, and the run is quarantined.
   * `last-try`: see `lastTry`.
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

/** An answer on another run's record that was used instead of a model call. The store copies it. */
export interface AnswerRead {
  id: string;
  /** The original call of the answer. */
  of: string;
  step: number;
  attempt: number;
  /** The tool call that made the model call. null: the stage made it. */
  toolCallId: string | null;
}

/**
 * A stage that its worker finished under the lease of an earlier stage, and continued from without a write.
 */
export interface EndedStage {
  stage: string;
  /** Move to the stage that was worked next, in the same round. */
  move: Move;
  inlineToolCalls: InlineToolCall[];
  /** Default: none. */
  answersRead?: AnswerRead[];
  events: NewEvent[];
  /** Milliseconds since the stage ended. Its artifact and events get that time. */
  agoMs: number;
}

export interface CommitRequest {
  /** The recorded lease: that of the first stage that ends. */
  lease: Lease;
  /** Stages that ended before this one under the same lease, in order. Default: none. */
  earlier?: EndedStage[];
  /** The stage that ends, if stages ended before it. Default: the lease's stage. */
  stage?: string;
  move: Move;
  results: InteractionResult[];
  inlineToolCalls: InlineToolCall[];
  /** Default: none. */
  answersRead?: AnswerRead[];
  events: NewEvent[];
  /** Claims the next stage for the same worker for this many milliseconds. No job is sent then. */
  claimForMs?: number;
}

export type CommitResult =
  | {
      kind: 'committed';
      nudges: Nudge[];
      /** Whether the verdict counts as delivered, and is not sent. Default: false. */
      isSilent?: true;
      /** The lease of the next stage, if `claimForMs` was set. */
      lease?: Lease;
    }
  /** The lease was lost. Nothing was written. */
  | { kind: 'stale' };

/** A unit or tool call that should have a live job. */
export interface SweepCandidate {
  nudge: Nudge;
}

/** Signs of work. */
export interface Activity {
  /** Id of the newest event; null: there is none. Everything that changes a case, and every act, adds an event. */
  newestEvent: string | null;
  /** Whether a pass would find work now. */
  isDue: boolean;
  /** Whether some work becomes due within about a minute. */
  isSoonDue: boolean;
}

export interface Leadership {
  release(): Promise<void>;
}

/**
 * Units of runs on their way through the stages. `resumeAt` of a row is the time at which the sweeper should
 * check the row next. `due`: some seconds after its nudge; `running`: when the lease is over; `suspended`:
 * when its wait is over; `later`: when it should be retried.
 */
export interface Units {
  /**
   * Claims a unit and loads its input in one round trip. Succeeds if the unit is due at exactly this stage
   * and round and has no live lease. Raises the epoch. Claiming a row whose lease ran out counts a crash of
   * this step, and pending interactions of the step become `ambiguous`. If the waiting time is over, open
   * tool calls of the awaited step are settled as failed (`tool_timeout`).
   */
  claim(request: ClaimRequest): Promise<ClaimResult>;

  /** Extends the leases. Returns the lost leases (epoch raised or row gone). */
  renew(leases: Lease[], leaseMs: number): Promise<Lease[]>;

  /**
   * Ends a stage in one transaction: results, inline tool calls, the artifact (and the rows derived from it),
   * the unit's next state, events. If the epoch was raised, nothing is written. The counters in the returned
   * nudges are already raised. With `units`, these units are opened at `next`, and this unit waits
   * (`joining`). When the last open unit ends (`next: null`), the run's own unit becomes due at `joinStage`.
   * A move that waits inserts the calls that are not recorded yet. If every call of the step is already
   * settled, the unit is due again immediately.
   */
  commit(request: CommitRequest): Promise<CommitResult>;

  /**
   * Releases a lease without counting a crash. The unit is due again immediately, or after `pauseMs`, when
   * the sweeper sends its job.
   */
  release(lease: Lease, pauseMs?: number): Promise<Nudge[]>;

  /**
   * Returns rows whose `resumeAt` has passed, of these cases or of all: at most `limit` of the lane `live`, then
   * at most `limit` of all lanes, each row once. Those that are overdue for the most minutes come first. Units
   * whose wait is over become due.
   */
  sweep(limit: number, cases?: readonly string[]): Promise<SweepCandidate[]>;

  /** Returns whether a pass of the sweeper may find work. One cheap statement. */
  activity(): Promise<Activity>;

  /**
   * Returns every unit and tool call that should have a job, in pages by `after`, those of the lane `live`
   * first. Used when the queue store was emptied.
   */
  allDue(after: string | null, limit: number): Promise<{ candidates: SweepCandidate[]; next: string | null }>;

  /**
   * Raises the counters of these rows if they are unchanged since the candidate was read. Returns the nudges
   * to send.
   */
  renudge(candidates: SweepCandidate[]): Promise<Nudge[]>;

  /** Postpones the next check by `delayMs`, because these candidates have a live job. */
  postpone(candidates: SweepCandidate[], delayMs: number): Promise<void>;
}
