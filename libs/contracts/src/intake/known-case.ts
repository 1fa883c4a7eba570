import type { CaseStatus } from '../record.js';
import type { EarlierVerdict } from '../ports/runs.js';
import type { KnownOccurrences } from './occurrence.js';

/** The recorded facts about the case of an alert. */
export interface KnownCase {
  id: string;
  /** null: repeats do not join the case. It was found by its idempotency key. */
  fingerprint: string | null;
  status: CaseStatus;
  /** Milliseconds since the verdict of its leading run. */
  decidedAgoMs: number | null;
  newestRunId: string;
  /** Whether the answer of a person is the verdict in force. */
  isAnswered: boolean;
  /** The verdict of its leading run. null: none yet. */
  verdict: KnownVerdict | null;
  /** Whether the case is a member of a storm whose judged alert still fires. Default: no. */
  isStormMember?: boolean;
  /** Default: its alerts cannot be distinguished. */
  occurrences?: KnownOccurrences | null;
}

/**
 * The verdict of a case's leading run, with the fields that decide whether the next alert is judged again.
 */
export interface KnownVerdict extends EarlierVerdict {
  /** Codes of `DEGRADED_BY`. */
  degradedBy: string[];
  method: string;
  /** The provider in its run's settings. `none`: no model was configured. */
  provider: string;
  /** Whether receivers got, or will get, another verdict in its place: that of a person, or the restored one. */
  isCorrected: boolean;
}
