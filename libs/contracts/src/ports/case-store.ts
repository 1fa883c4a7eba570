import type { Alert, AlertInput, ArtifactName } from '../artifacts/index.js';
import type { JsonObject } from '../json.js';
import type { Lane, Nudge, StageNudge } from '../job.js';
import type { ToolRequest } from '../outcome.js';
import type { Interaction, InteractionResult, StageKey, ToolCall } from '../record.js';
import type { RunSettings } from '../settings.js';

// ---------------------------------------------------------------- accept

export interface AcceptRequest {
  alert: AlertInput & { playbook: string };
  /** Ids are drawn by the caller, so that the store needs no randomness. */
  alertId: string;
  caseId: string;
  runId: string;
  /** Joins alerts to one case; null: every alert opens a case of its own. */
  fingerprint: string | null;
  /** With the digest of the body it came with. The same key with another digest is refused. */
  idempotency: { key: string; bodyDigest: string } | null;
  settings: RunSettings;
  lane: Lane;
  firstStage: string;
  receivedAt: string;
  /** A decided case gets a new run when its last verdict is older than this. */
  holdOffMs: number;
}

export type AcceptResult =
  | {
      kind: 'accepted';
      alertId: string;
      caseId: string;
      runId: string;
      joined: boolean;
      nudges: StageNudge[];
    }
  /** The idempotency key was used before with the same body: what was answered then. */
  | { kind: 'repeated'; alertId: string; caseId: string; runId: string; joined: boolean }
  | { kind: 'key-reused' };

/** Another run of a case that is on the record, over the alert of its newest run. */
export interface OpenRunRequest {
  caseId: string;
  runId: string;
  lane: Lane;
  settings: RunSettings;
  firstStage: string;
}

// ---------------------------------------------------------------- claim

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
}

/** The right to work on a unit. Every later write carries it; one with an old epoch is refused. */
export interface Lease extends StageKey {
  epoch: number;
}

/** Artifacts of one unit, by name. */
export type ArtifactSet = Partial<Record<ArtifactName, JsonObject>>;

export interface ClaimedWork {
  lease: Lease;
  caseId: string;
  lane: Lane;
  settings: RunSettings;
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
  /** The journal of this stage key, by step and attempt. */
  interactions: Interaction[];
  toolCalls: ToolCall[];
  /** Earlier crashes of this step that still count. */
  crashes: number;
  /** Failures of this step that were tried again. */
  failures: number;
  /** The stage was suspended and its time is over: go on with what is there. */
  waitOver: boolean;
}

export type ClaimResult =
  | { kind: 'claimed'; work: ClaimedWork }
  /**
   * `leased`: somebody works on it. `moved-on`: this stage and round are done; `nudges` wakes what is
   * due now. `quarantined`: this claim found the last crash that was allowed; the run is out.
   */
  | {
      kind: 'refused';
      reason: 'leased' | 'moved-on' | 'unknown' | 'quarantined' | 'suspended';
      nudges: Nudge[];
    };

// ---------------------------------------------------------------- journal

/** A model call about to be made. Results of earlier calls of the stage are recorded with it. */
export interface IntentRequest {
  lease: Lease;
  results: InteractionResult[];
  interaction: Pick<
    Interaction,
    'id' | 'step' | 'attempt' | 'provider' | 'model' | 'promptId' | 'requestHash' | 'request' | 'draw'
  >;
}

// ---------------------------------------------------------------- commit

export interface NewEvent {
  type: string;
  data: JsonObject;
}

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
>;

/** The artifact a stage appends. Rows that are derived from it are the store's affair. */
export interface NewArtifact {
  name: ArtifactName;
  body: JsonObject;
}

export type Change =
  /** Append and hand on to `next`. */
  | {
      kind: 'advance';
      artifact: NewArtifact;
      /** null: this unit has done its part and `joinStage` waits for the others. */
      next: { stage: string; round: number } | null;
      joinStage: string | null;
      /** Open these units at `next`; this unit itself waits at `joinStage`. */
      units: string[];
    }
  /** Append the verdict and end the run: case decided, delivery recorded (null: a lane without outward effect). */
  | { kind: 'decide'; artifact: NewArtifact; deliveryId: string | null }
  | {
      kind: 'suspend';
      step: number;
      calls: (ToolRequest & { id: string })[];
      signal: string | null;
      timeoutMs: number;
    }
  | { kind: 'later'; delayMs: number; reasonCode: string }
  | { kind: 'stop'; reasonCode: string; message: string }
  /** A failure of ours: try again after `retryInMs`, or null: quarantine. */
  | { kind: 'fail'; reasonCode: string; message: string; retryInMs: number | null };

export interface CommitRequest {
  lease: Lease;
  change: Change;
  results: InteractionResult[];
  inlineToolCalls: InlineToolCall[];
  events: NewEvent[];
}

export type CommitResult =
  | { kind: 'committed'; nudges: Nudge[] }
  /** The lease is not ours any more: nothing was written. */
  | { kind: 'stale' };

// ---------------------------------------------------------------- tool calls

export interface ToolLease {
  toolCallId: string;
  epoch: number;
}

export type ToolClaimResult =
  | { kind: 'claimed'; lease: ToolLease; call: ToolCall; lane: Lane; settings: RunSettings }
  /** `nudges` wakes the unit when the call is settled already but its unit was not woken. */
  | { kind: 'refused'; reason: 'leased' | 'settled' | 'unknown'; nudges: Nudge[] };

export type ToolSettlement = Pick<
  ToolCall,
  'result' | 'source' | 'reasonCode' | 'message' | 'durationMs' | 'attempts'
> & {
  state: 'succeeded' | 'failed';
};

// ---------------------------------------------------------------- sweep

/** Something that should have a live job. */
export interface SweepCandidate {
  nudge: Nudge;
}

export interface Leadership {
  release(): Promise<void>;
}

export interface PendingDelivery {
  deliveryId: string;
  caseId: string;
  runId: string;
  playbook: string;
  lane: Lane;
  verdict: JsonObject;
}

/**
 * The record, as the flow writes it. Time is the store's own, so that leases do not depend on the
 * clocks of workers. Every method is safe to call again after an error of connection.
 *
 * A due row says in `resumeAt` when the sweeper should look at it next, whatever its status: `due`:
 * some seconds after its nudge; `running`: when the lease is over; `suspended`: when its wait is
 * over; `later`: when it should be tried again.
 */
export interface CaseStore {
  /**
   * Takes an alert in, in one transaction: alert, case, run, due unit, idempotency key and the events
   * `alert.accepted` and `case.created`. A fingerprint joins a case that is not closed: an open one
   * as it is, a decided one with a new run when its verdict is older than the hold-off, else
   * with the alert alone. Concurrent requests with one fingerprint or one key end in one case.
   */
  accept(request: AcceptRequest): Promise<AcceptResult>;

  /** Opens another run. @throws CasefileError `unknown_case`. Event `run.created`. */
  openRun(request: OpenRunRequest): Promise<{ runId: string; nudges: StageNudge[] }>;

  /**
   * Claims and loads in one round trip. Succeeds when the unit is due at exactly this stage and
   * round and no live lease is on it; raises the epoch. A claim of a row whose lease ran out
   * counts a crash of this step; pending interactions of the step become `ambiguous`.
   */
  claim(request: ClaimRequest): Promise<ClaimResult>;

  /** Extends the leases; returns those that were lost (epoch raised or row gone). */
  renew(leases: Lease[], leaseMs: number): Promise<Lease[]>;

  /** Writes the intent (state `pending`) before the call. false: the lease is stale, do not call. */
  intend(request: IntentRequest): Promise<boolean>;

  /**
   * Ends a stage in one transaction: results, inline tool calls, the artifact (and the rows derived from it), the
   * unit's next state, events. A raised epoch refuses it all. The nudges it returns carry counters already raised.
   * With `units`, those are opened at `next` and this unit waits (`joining`); when the last open unit ends
   * (`next: null`) the run's own unit is made due at `joinStage`.
   * `suspend` inserts the calls that are not on the record yet; when every call of the step is settled
   * already, the unit is due again at once.
   */
  commit(request: CommitRequest): Promise<CommitResult>;

  /** Gives a lease back unused (ordered shutdown): due again at once, not counted as a crash. */
  release(lease: Lease): Promise<Nudge[]>;

  claimToolCall(toolCallId: string, leaseMs: number): Promise<ToolClaimResult>;
  renewToolCalls(leases: ToolLease[], leaseMs: number): Promise<ToolLease[]>;
  /** Settles a call; when it was the last open one of its step, its unit is due again in the same transaction. */
  settleToolCall(
    lease: ToolLease,
    settlement: ToolSettlement,
  ): Promise<{ kind: 'settled' | 'stale'; nudges: Nudge[] }>;
  releaseToolCall(lease: ToolLease): Promise<Nudge[]>;

  /** Rows whose `resumeAt` has passed, oldest first: waits that are over are made due on the way. */
  sweep(limit: number): Promise<SweepCandidate[]>;
  /** Every unit and tool call that should have a job (the queue store was emptied), in pages by `after`. */
  allDue(after: string | null, limit: number): Promise<{ candidates: SweepCandidate[]; next: string | null }>;
  /** Raises the counters of these rows, when they are still as the candidate says; returns the nudges to send. */
  renudge(candidates: SweepCandidate[]): Promise<Nudge[]>;
  /** These have a live job: look again after `delayMs`. */
  postpone(candidates: SweepCandidate[], delayMs: number): Promise<void>;

  /** Verdicts to hand out that are not marked as handed out, oldest first. */
  pendingDeliveries(limit: number, olderThanMs: number): Promise<PendingDelivery[]>;
  delivery(runId: string): Promise<PendingDelivery | null>;
  markDelivered(deliveryIds: string[]): Promise<void>;

  /** An alert that could not be accepted, kept with its reason. */
  buryAlert(entry: { id: string; reasonCode: string; message: string; payload: unknown }): Promise<void>;
  /** Takes buried alerts out of the dead letters: accepted after all, or given up by a person. Returns how many there were. */
  dropBuriedAlerts(ids: string[]): Promise<number>;
  /** Quarantined runs due again at the stage where they were; counts of crashes and failures start anew. */
  redriveRuns(runIds: string[]): Promise<Nudge[]>;

  /** One leader a name over all processes; null: somebody else leads. */
  lead(name: string): Promise<Leadership | null>;
  /** Unfinished runs, for back-pressure; an estimate that may be a second old. */
  backlog(): Promise<number>;
  /** @throws when the store does not answer within `timeoutMs`. */
  ping(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}
