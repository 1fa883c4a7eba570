import { DEGRADED_BY, type DegradedCause } from './degraded-by.js';
import { reasonOf } from './errors/reason-codes.js';
import type { EvidenceItem } from './artifacts/evidence.js';

/** A cause with short words of its own, where those of its code would name something else. */
interface WordedCause {
  cause: DegradedCause;
  short: string;
}

/** The cause of a verdict whose image was read poorly or in part. S1-17. */
export const IMAGE_UNREADABLE: WordedCause = { cause: 'unreadable', short: 'image not read well' };

/**
 * The cause that an error's reason code, or a remark of the executor, stands for. Every code that is not about time,
 * money, the answer or the look-ups means that the model could not be used (`circuit_open`, `server_error`, `network`,
 * `bad_key`, `quota_exhausted`, `rate_limited`, ...).
 * @returns null for `no_provider`: that no model is configured is no degradation, the verdict's `method` says it.
 */
export function degradedCauseOf(reasonCode: string): DegradedCause | null {
  if (reasonCode === 'no_provider') return null;
  return reasonOf(reasonCode).degradedBy ?? 'model_out';
}

/** How the look-ups of a run went. */
export interface LookUpCounts {
  /** Asked, and answered by a tool or failed. A tool without its key was not asked. */
  tried: number;
  failed: number;
}

/** Counts look-ups; a tool that is not configured counts as not tried. S1-17. */
export function lookUpsOf(items: readonly Pick<EvidenceItem, 'success' | 'reason'>[]): LookUpCounts {
  const tried = items.filter(({ success, reason }) => success || reason !== 'not_configured');
  return { tried: tried.length, failed: tried.filter(({ success }) => !success).length };
}

/** What a verdict says of its causes: the codes, each once, and short words such as `model out, 3 of 7 look-ups failed`. */
export function degradationOf(
  causes: readonly (DegradedCause | WordedCause | null)[],
  lookUps?: LookUpCounts,
): { degraded: boolean; degradedBy: DegradedCause[]; degradedNote: string } {
  const worded = causes
    .filter((cause) => cause !== null)
    .map((cause) => (typeof cause === 'string' ? { cause, short: shortOf(cause, lookUps) } : cause));
  const degradedBy = [...new Set(worded.map(({ cause }) => cause))];
  const words = [...new Set(worded.map(({ short }) => short))];
  return { degraded: degradedBy.length > 0, degradedBy, degradedNote: words.join(', ') };
}

function shortOf(cause: DegradedCause, lookUps: LookUpCounts | undefined): string {
  return cause === 'lookups_failed' && lookUps !== undefined && lookUps.failed > 0
    ? `${lookUps.failed} of ${lookUps.tried} look-ups failed`
    : DEGRADED_BY[cause].short;
}
