import type { Lane, Nudge, StageNudge } from '../job.js';
import type { AcceptRequest, AcceptResult, OpenRunRequest, PendingDelivery } from './runs.js';
import type {
  ClaimRequest,
  Lease,
  ClaimResult,
  CommitRequest,
  CommitResult,
  SweepCandidate,
  Leadership,
} from './units.js';
import type { IntentRequest } from './interactions.js';
import type {
  ToolLease,
  ToolCallMore,
  ToolClaimResult,
  ToolIntentRequest,
  ToolSettlement,
} from './tool-calls.js';

/**
 * The record, as the flow writes it. Time is the store's own, so that leases do not depend on the
 * clocks of workers. Every method is safe to call again after an error of connection.
 *
 * A due row says in `resumeAt` when the sweeper should look at it next, whatever its status: `due`:
 * some seconds after its nudge; `running`: when the lease is over; `suspended`: when its wait is
 * over; `later`: when it should be tried again.
 */
export interface CaseStore {
  /** The same writes by way of connections that live work alone may hold; left out: all work shares its connections. */
  readonly ofLive?: FlowWrites;

  /**
   * Takes an alert in, in one transaction: alert, case, run, due unit, idempotency key and the events
   * `alert.accepted` and `case.created`. A fingerprint joins a case that is not closed: an open one
   * as it is, a decided one with a new run when its verdict is older than the hold-off, when it is degraded and its
   * cause is gone (S1-17), when rules made it without a model and there is one now, or when `again` says so (`key`:
   * also the case of the idempotency key, which needs no fingerprint); else
   * with the alert alone, answered with that verdict. Where the request has an `occurrence`, that decides instead, a case
   * that is closed is joined too, and there are the events `alert.resolved` and `case.flapping` (S2-40). Concurrent
   * requests with one fingerprint or one key end in one case.
   */
  accept(request: AcceptRequest): Promise<AcceptResult>;

  /** Opens another run. @throws CasefileError `unknown_case`. Event `run.created`. */
  openRun(request: OpenRunRequest): Promise<{ runId: string; nudges: StageNudge[] }>;

  /**
   * Claims and loads in one round trip. Succeeds when the unit is due at exactly this stage and
   * round and no live lease is on it; raises the epoch. A claim of a row whose lease ran out
   * counts a crash of this step; pending interactions of the step become `ambiguous`. When the wait is
   * over, tool calls of the awaited step that are still open are settled as failed, `tool_timeout`.
   */
  claim(request: ClaimRequest): Promise<ClaimResult>;

  /** When the sender of a case's alerts said that its newest occurrence is over; null: it did not, or it fires again. */
  resolvedAt(caseId: string): Promise<string | null>;

  /** Extends the leases; returns those that were lost (epoch raised or row gone). */
  renew(leases: Lease[], leaseMs: number): Promise<Lease[]>;

  /**
   * Writes the intent (state `pending`) before the call. false: the lease is stale, do not call.
   * @throws CasefileError `budget_exhausted` (details: `key`, `window`) when a reservation does not fit: the results
   * and inline tool calls that came with it are on the record, the intent is not.
   */
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

  /**
   * Gives a lease back unused, not counted as a crash: due again at once, or after `pauseMs`, when the sweeper sends its job.
   */
  release(lease: Lease, pauseMs?: number): Promise<Nudge[]>;

  /** Model calls that an earlier claim left pending become `ambiguous`. */
  claimToolCall(toolCallId: string, leaseMs: number): Promise<ToolClaimResult>;
  /** As `intend`, for a model call that a tool makes. false: the tool call is somebody else's or settled, do not call. */
  intendForTool(request: ToolIntentRequest): Promise<boolean>;
  renewToolCalls(leases: ToolLease[], leaseMs: number): Promise<ToolLease[]>;
  /**
   * Settles a call; when it was the last open one of its step, its unit is due again in the same transaction. Model calls
   * of it that are still pending then are `ambiguous`: nobody will tell what came of them.
   */
  settleToolCall(
    lease: ToolLease,
    settlement: ToolSettlement,
    more?: ToolCallMore,
  ): Promise<{ kind: 'settled' | 'stale'; nudges: Nudge[] }>;
  releaseToolCall(lease: ToolLease): Promise<Nudge[]>;

  /** Rows whose `resumeAt` has passed, oldest first, of these cases or of all: waits that are over are made due on the way. */
  sweep(limit: number, cases?: readonly string[]): Promise<SweepCandidate[]>;
  /** Every unit and tool call that should have a job (the queue store was emptied), in pages by `after`. */
  allDue(after: string | null, limit: number): Promise<{ candidates: SweepCandidate[]; next: string | null }>;
  /** Raises the counters of these rows, when they are still as the candidate says; returns the nudges to send. */
  renudge(candidates: SweepCandidate[]): Promise<Nudge[]>;
  /** These have a live job: look again after `delayMs`. */
  postpone(candidates: SweepCandidate[], delayMs: number): Promise<void>;

  /** Verdicts of these playbooks that are not marked as handed out, oldest first: others are for who knows their kind. */
  pendingDeliveries(
    limit: number,
    olderThanMs: number,
    playbooks: readonly string[],
  ): Promise<PendingDelivery[]>;
  delivery(runId: string): Promise<PendingDelivery | null>;
  markDelivered(deliveryIds: string[]): Promise<void>;

  /** An alert that could not be accepted, kept with its reason. */
  buryAlert(entry: { id: string; reasonCode: string; message: string; payload: unknown }): Promise<void>;
  /** Takes buried alerts out of the dead letters: accepted after all, or given up by a person. Returns how many there were. */
  dropBuriedAlerts(ids: string[]): Promise<number>;
  /** Quarantined and parked runs due again at the stage where they were; counts of crashes and failures start again. */
  redriveRuns(runIds: string[]): Promise<Nudge[]>;

  /** One leader a name over all processes; null: somebody else leads. */
  lead(name: string): Promise<Leadership | null>;
  /** Unfinished runs, for back-pressure; an estimate that may be a second old. */
  backlog(): Promise<number>;
  /** @throws when the store does not answer within `timeoutMs`. */
  ping(timeoutMs: number): Promise<void>;
  /**
   * Commits a write that takes new space, at most once in 5 s however often it is asked; after a failure at every
   * question. @throws CasefileError with the reason when writes fail, also while reads work (a full disk, a read-only
   * database), or when the store does not answer within `timeoutMs`.
   */
  proveWrites(timeoutMs: number): Promise<void>;
  close(): Promise<void>;
}

/** What a run writes on its way through the flow. */
export type FlowWrites = Pick<
  CaseStore,
  | 'accept'
  | 'claim'
  | 'renew'
  | 'intend'
  | 'commit'
  | 'release'
  | 'claimToolCall'
  | 'intendForTool'
  | 'renewToolCalls'
  | 'settleToolCall'
  | 'releaseToolCall'
>;

/** The lane of work as far as it is known: `bulk` is any but `live`. */
export type WorkLane = Lane | 'bulk';

/** The way to the record for work of this lane. */
export function writesOf(store: FlowWrites & { readonly ofLive?: FlowWrites }, lane: WorkLane): FlowWrites {
  return lane === 'live' ? (store.ofLive ?? store) : store;
}
