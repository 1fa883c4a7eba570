import type { CaseStatus } from '../record.js';
import type { EarlierVerdict } from '../ports/runs.js';
import type { KnownOccurrences } from './occurrence.js';

/** What the record says already about the alerts that come in. */
export interface KnownCase {
  id: string;
  /** null: it joins no repeats, and was found by its idempotency key. */
  fingerprint: string | null;
  status: CaseStatus;
  /** How long ago its leading run was decided, in milliseconds. */
  decidedAgoMs: number | null;
  newestRunId: string;
  /** Of its leading run; null: it has none yet. */
  verdict: KnownVerdict | null;
  /** null or left out: nothing tells its alerts apart. */
  occurrences?: KnownOccurrences | null;
}

/** The verdict of a case's leading run, as far as it says whether the next alert is judged again. */
export interface KnownVerdict extends EarlierVerdict {
  /** Codes of `DEGRADED_BY`. */
  degradedBy: string[];
  method: string;
  /** Of its run's settings; `none`: no model was configured. */
  provider: string;
}
