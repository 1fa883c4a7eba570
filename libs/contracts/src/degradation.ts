import { DEGRADED_BY, type DegradedCause } from './degraded-by.js';
import { reasonOf } from './errors/reason-codes.js';
import type { EvidenceItem } from './artifacts/evidence.js';

/** A cause with its own short words, because those of its code would mislead. */
export interface WordedCause {
  cause: DegradedCause;
  short: string;
}

/** Cause of a verdict whose image was read poorly or partly. */
export const IMAGE_UNREADABLE: WordedCause = { cause: 'unreadable', short: 'image not read well' };

/**
 * Returns the cause for the reason code of an error, or for a remark of the executor. Every code that is not
 * about time, money, the answer or the look-ups means that the model could not be used (`circuit_open`,
 * `server_error`, `network`, `bad_key`, `quota_exhausted`, `rate_limited`, ...).
 * @returns null for `no_provider`: a missing model configuration is no degradation; the verdict's `method`
 * reports it.
 */
export function degradedCauseOf(reasonCode: string): DegradedCause | null {
  if (reasonCode === 'no_provider') return null;
  return reasonOf(reasonCode).degradedBy ?? 'model_out';
}

/** Results of the look-ups of a run. */
export interface LookUpCounts {
  /** Look-ups that were made, whether they succeeded or failed. A tool without a key is not counted. */
  tried: number;
  failed: number;
}

/** Counts look-ups. A tool that is not configured counts as not tried. */
export function lookUpsOf(items: readonly Pick<EvidenceItem, 'success' | 'reason'>[]): LookUpCounts {
  const attempts = items.filter(({ success, reason }) => success || reason !== 'not_configured');
  return { tried: attempts.length, failed: attempts.filter(({ success }) => !success).length };
}

/**
 * Returns the degradation fields of a verdict: the codes of its causes, each once, and short words such as
 * `model out, 3 of 7 look-ups failed`.
 */
export function degradationOf(
  causes: readonly (DegradedCause | WordedCause | null)[],
  lookUps?: LookUpCounts,
): { degraded: boolean; degradedBy: DegradedCause[]; degradedNote: string } {
  const worded = causes
    .filter((cause) => cause !== null)
    .map((cause) => (typeof cause === 'string' ? { cause, short: causeShort(cause, lookUps) } : cause));
  const degradedBy = [...new Set(worded.map(({ cause }) => cause))];
  const words = [...new Set(worded.map(({ short }) => short))];
  return { degraded: degradedBy.length > 0, degradedBy, degradedNote: words.join(', ') };
}

function causeShort(cause: DegradedCause, lookUps: LookUpCounts | undefined): string {
  return cause === 'lookups_failed' && lookUps !== undefined && lookUps.failed > 0
    ? `${lookUps.failed} of ${lookUps.tried} look-ups failed`
    : DEGRADED_BY[cause].short;
}
