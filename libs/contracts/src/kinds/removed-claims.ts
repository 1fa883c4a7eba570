import type { CrossExamination } from '../artifacts/review.js';
import type { IncidentResult } from './incident.js';

/** Ids of an incident's claims in its cross-examination: its causes in their order, and that nothing is wrong. */
export const causeClaimId = (place: number): string => `C${place + 1}`;
export const FALSE_ALARM_CLAIM = 'F1';

/**
 * Returns the result without the claims that its cross-examination contradicted or did not find in their sources: such a cause is
 * dropped, and such a false alarm is none. Without an answer the result is unchanged. T-02.
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
