import type { AlertInput, ChosenBy } from '../artifacts/index.js';
import type { Lane, StageNudge } from '../job.js';
import type { RunSettings } from '../settings.js';
import type { AlertCorrelation } from '../storms/correlation.js';
import type { Grade } from '../transitions/grade.js';
import type { ClaimedWork } from './units.js';

export interface AcceptRequest {
  alert: AlertInput & { playbook: string; chosenBy?: ChosenBy };
  /** Names the alert in lists, without secrets. Empty: nothing names it. */
  line: string;
  /** The caller creates the ids, so that the store needs no randomness. */
  alertId: string;
  caseId: string;
  runId: string;
  /** Alerts with the same fingerprint join one case. null: every alert opens its own case. */
  fingerprint: string | null;
  /** The key with the digest of the request body. The same key with another digest is refused. */
  idempotency: { key: string; bodyDigest: string } | null;
  settings: RunSettings;
  /** Name of the key by which the alert was sent. Default: it was sent without a key. */
  sender?: string;
  lane: Lane;
  /**
   * The labelled set that the case belongs to, for a measurement. Lists and statistics exclude such a case.
   * Default: none.
   */
  dataset?: string;
  firstStage: string;
  receivedAt: string;
  /** A decided case gets a new run if its last verdict is older than this. */
  holdOffMs: number;
  /**
   * Opens a new run of the case regardless of its last verdict. Default: false. `key`: selects the case that
   * was opened under the idempotency key, whichever its playbook. A case that is already open gets no new
   * run.
   */
  again?: boolean | 'key';
  /** The trace of the run, as W3C `traceparent`. Default: none. */
  trace?: string | null;
  /** Claims the first stage of a newly opened run for the caller, for this long in milliseconds. */
  claimForMs?: number;
  /** Time in milliseconds before which the first stage of a newly opened run does not start. Default: 0. */
  holdMs?: number;
  /**
   * The occurrence that the alert reports. Default: repeats cannot be distinguished, and the hold-off
   * applies.
   */
  occurrence?: AlertOccurrence | null;
  /** Parts of the alert by which it joins a case, in words for people. Default: its content, or nothing. */
  joinedBy?: string;
  /** Facts by which the alert joins a storm. Default: it is judged separately. */
  correlation?: AlertCorrelation;
}

/** One period in which the alert of a case fired. */
export interface AlertOccurrence {
  /**
   * Start time (ISO 8601). It distinguishes the occurrences of a case. null: the sender does not report it.
   */
  startedAt: string | null;
  /** Whether the sender reports that the occurrence has ended. */
  resolved: boolean;
  /** Whether the message reports an act of a person, such as a note or an acknowledgement. Default: false. */
  remark?: boolean;
  /**
   * Whether the alert is marked as a recovery, but no status field confirms it. It joins a known case without effect,
   * unless it escalates the case or begins a later occurrence. Default: false.
   */
  joinsOnly?: boolean;
  /** Severity that the sender reports. Default: none. */
  grade?: Grade;
  /**
   * Maximum number of runs per hour for the occurrences of one case. Further occurrences are only noted on
   * the case.
   */
  mostRunsPerHour: number;
  /** Whether the case closes when the occurrence ends. If not, the end is only noted on the case. */
  closes: boolean;
}

/** The verdict returned for an alert that joined a decided case. */
export interface EarlierVerdict {
  runId: string;
  /** ISO 8601. */
  decidedAt: string;
  degraded: boolean;
  /** Short description of what was missing. */
  degradedNote: string;
}

export type AcceptResult =
  | {
      kind: 'accepted';
      alertId: string;
      caseId: string;
      runId: string;
      joined: boolean;
      /** The existing verdict, if the alert joined a decided case and opened no new run. */
      verdictOf?: EarlierVerdict;
      /** Empty if the run is claimed. */
      nudges: StageNudge[];
      /** The first stage, if it was claimed (`claimForMs`). */
      work?: ClaimedWork;
    }
  /** The idempotency key was used before with the same body. The earlier answer is repeated. */
  | { kind: 'repeated'; alertId: string; caseId: string; runId: string; joined: boolean }
  | { kind: 'key-reused' }
  /** The alert opens no case: it ends an unknown occurrence, or reports an act of a person on an unknown alert. */
  | { kind: 'ignored'; why: IgnoredReason };

/** Reasons for which an alert opens no case. */
export const IGNORED_REASONS = ['resolved_unknown', 'remark_unknown'] as const;
export type IgnoredReason = (typeof IGNORED_REASONS)[number];

/** What an alert that opens no case reports, in words for people. */
export const IGNORED_IN_WORDS = {
  resolved_unknown: 'the end of a problem that no case has',
  remark_unknown: 'an act of a person on an alert that no case has',
} as const satisfies Record<IgnoredReason, string>;

/** A request for another run of an existing case. */
export interface OpenRunRequest {
  caseId: string;
  runId: string;
  /** The run of the case whose alert is judged again. Default: the newest run. */
  over?: string;
  /**
   * Whether the case shows this run and waits for its verdict. Default: true in the lanes `live` and `batch`.
   */
  leads?: boolean;
  /**
   * Opens no run, and returns no nudge, unless `over` is the decided run that the case shows, its alert has not
   * ended and no person answered it. Default: false.
   */
  onlyIfFiring?: boolean;
  lane: Lane;
  settings: RunSettings;
  firstStage: string;
}

/** Accepted alerts, and the runs of their cases. */
export interface Runs {
  /**
   * Accepts an alert in one transaction: alert, case, run, due unit, idempotency key and the events
   * `alert.accepted` and `case.created`. An alert with a fingerprint joins a case that is not closed. An open
   * case stays as it is. A decided case gets a new run if its verdict is older than the hold-off, if the
   * verdict is degraded and the cause is gone, if rules made the verdict and a model is available now, or if
   * `again` requests it (`key`: also for the case of the idempotency key, without a fingerprint). Otherwise
   * only the alert is added, and the existing verdict is returned. If the request has an `occurrence`, the
   * occurrence decides instead: the alert also joins a closed case, and the events are `alert.resolved` and
   * `case.flapping`. Concurrent requests with one fingerprint or one key end in one case.
   */
  accept(request: AcceptRequest): Promise<AcceptResult>;

  /** Opens another run. Event: `run.created`. @throws CasefileError `unknown_case`. */
  open(request: OpenRunRequest): Promise<{ runId: string; nudges: StageNudge[] }>;

  /** Returns the number of unfinished runs, for back-pressure. The estimate may be a second old. */
  backlog(): Promise<number>;
}
