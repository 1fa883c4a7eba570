import type { CrossExamination } from '../artifacts/review.js';
import type { IncidentResult } from './incident.js';

/** Ids of an incident's claims in its cross-examination: its causes in order, and the false alarm. */
export const causeClaimId = (place: number): string => `C${place + 1}`;
export const FALSE_ALARM_CLAIM = 'F1';

/**
 * Returns the result without the claims that its cross-examination contradicted or did not find in their
 * sources. Such causes are dropped, and such a false alarm is removed. Without an answer the result is
 * unchanged.
 */
export function withoutRemovedClaims(result: IncidentResult, examined?: CrossExamination): IncidentResult {
  const removed = new Set(
    (examined?.claims ?? []).filter(({ answer }) => answer !== 'supports').map(({ id }) => id),
  );
  if (removed.size === 0) return result;
  const isRemoved = (place: number) => removed.has(causeClaimId(place));
  return {
    ...result,
    hypotheses: result.hypotheses.filter((_one, place) => !isRemoved(place)),
    dropped: [
      ...result.dropped,
      ...result.hypotheses.flatMap(({ cause }, place) => (isRemoved(place) ? [cause] : [])),
    ],
    falseAlarm: removed.has(FALSE_ALARM_CLAIM) ? null : result.falseAlarm,
  };
}
