import type { AlertInput } from '../artifacts/index.js';
import type { Lane, StageNudge } from '../job.js';
import type { RunSettings } from '../settings.js';
import type { ClaimedWork } from './units.js';

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
  /** The labelled set it is judged for, as a measurement: lists and figures leave its case out. Left out: none. */
  dataset?: string;
  firstStage: string;
  receivedAt: string;
  /** A decided case gets a new run when its last verdict is older than this. */
  holdOffMs: number;
  /**
   * A new run of the case whatever its last verdict is; left out: no. `key`: of the case that was opened under the
   * idempotency key, whatever its kind; one that is open already is answered as it is.
   */
  again?: boolean | 'key';
  /** The trace that the run belongs to, as W3C `traceparent`; left out or null: none. */
  trace?: string | null;
  /** The caller works the first stage of a run that is opened itself: it is claimed for so long, in milliseconds. */
  claimForMs?: number;
  /** Left out or null: nothing tells one alert of the case from its repeats, and the hold-off counts. */
  occurrence?: AlertOccurrence | null;
  /** Opens no case for what is over already and was never heard of before. Left out: it does. */
  onlyIfFiring?: boolean;
}

/** Of what an alert tells: one time that the same trouble was there, from its start to its end. S2-40. */
export interface AlertOccurrence {
  /** ISO 8601; it tells one occurrence of a case from another. null: the sender does not say. */
  startedAt: string | null;
  /** The sender says that it is over. */
  resolved: boolean;
  /** Runs that the occurrences of one case may open within an hour; past it they are noted on the case. */
  mostRunsPerHour: number;
  /** Does the case close when it is over? Else that is noted on it. */
  closes: boolean;
}

/** The verdict that an alert is answered with that joined a decided case. */
export interface EarlierVerdict {
  runId: string;
  /** ISO 8601. */
  decidedAt: string;
  degraded: boolean;
  /** What it lacked, in short words. */
  degradedNote: string;
}

export type AcceptResult =
  | {
      kind: 'accepted';
      alertId: string;
      caseId: string;
      runId: string;
      joined: boolean;
      /** Where it joined a case that has its verdict already, and opens no new run: that verdict. */
      verdictOf?: EarlierVerdict;
      /** None where the run is claimed. */
      nudges: StageNudge[];
      /** The first stage, claimed as `claimForMs` asked for. */
      work?: ClaimedWork;
    }
  /** The idempotency key was used before with the same body: what was answered then. */
  | { kind: 'repeated'; alertId: string; caseId: string; runId: string; joined: boolean }
  | { kind: 'key-reused' }
  /** It is over and nothing is known of it (`onlyIfFiring`): nothing is on the record. */
  | { kind: 'over' };

/** Another run of a case that is on the record. */
export interface OpenRunRequest {
  caseId: string;
  runId: string;
  /** The run of the case over whose alert it is; left out: its newest. */
  over?: string;
  /** Does the case show it, and wait for its verdict? Left out: as its lane says, `live` and `batch` do. */
  leads?: boolean;
  lane: Lane;
  settings: RunSettings;
  firstStage: string;
}

/** Alerts taken in, and the runs of their cases. */
export interface Runs {
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
  open(request: OpenRunRequest): Promise<{ runId: string; nudges: StageNudge[] }>;

  /** Unfinished runs, for back-pressure; an estimate that may be a second old. */
  backlog(): Promise<number>;
}
