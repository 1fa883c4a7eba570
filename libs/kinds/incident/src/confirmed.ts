import {
  causeClaimId,
  FALSE_ALARM_CLAIM,
  type CheckedClaim,
  withoutRemovedClaims,
  type IncidentResult,
  type JudgedCause,
  type Review,
  type TypedClaim,
  type Unproven,
} from '@casefile/contracts';
import { inLine } from '@casefile/pipeline/plain-text';

/** A result with confirmed causes only, and the other causes as unproven statements. */
export interface ConfirmedResult {
  result: IncidentResult;
  unconfirmed: Unproven[];
}

/**
 * Returns the result with the causes that the lines which they cite confirm, and that a cross-examination supports if the
 * verdict needed one. The other causes of the model are listed as unproven, also those that the record refutes.
 */
export function confirmedResult(
  claimed: IncidentResult,
  review: Pick<Review, 'claims' | 'crossExamination'>,
  causes: readonly JudgedCause[],
): ConfirmedResult {
  const remaining = withoutRemovedClaims(claimed, review.crossExamination);
  const unconfirmed: Unproven[] = [];
  const removed = new Set<string>();
  for (const [place, { cause }] of claimed.hypotheses.entries()) {
    const judged = causes.find((one) => one.cause === cause);
    const refuted = judged?.standing === 'refuted' ? judged.why : null;
    const why = whyUnconfirmed(causeClaimId(place), review) ?? refuted;
    if (why === null || !remaining.hypotheses.some((one) => one.cause === cause)) continue;
    removed.add(cause);
    unconfirmed.push({ of: 'cause', text: inLine(cause, 2_000), why });
  }
  const hypotheses = remaining.hypotheses.filter(({ cause }) => !removed.has(cause));
  const isWrongAlarm =
    claimed.severity === 'critical' &&
    (review.claims ?? []).some(({ id, result }) => id === FALSE_ALARM_CLAIM && result === 'contradicted');
  // A contradicted false alarm leaves a critical alert as it is.
  const falseAlarm = isWrongAlarm ? null : remaining.falseAlarm;
  return { result: { ...remaining, hypotheses, falseAlarm }, unconfirmed };
}

/** Returns why nothing confirms a cause; null: it is confirmed, or an older run has no claims. */
function whyUnconfirmed(
  id: string,
  { claims, crossExamination }: Pick<Review, 'claims' | 'crossExamination'>,
): string | null {
  const claim = claims?.find((one) => one.id === id);
  if (claim !== undefined && claim.result !== 'holds') return whyNot(claim.parts);
  if (crossExamination === undefined) return null;
  const isSupported = crossExamination.claims.some((one) => one.id === id && one.answer === 'supports');
  return isSupported ? null : 'no second question confirmed it';
}

function whyNot(parts: readonly TypedClaim[]): string {
  const against = parts.find(({ result }) => result === 'contradicted');
  if (against === undefined) return 'the lines that it cites do not show it';
  const where = against.source === null ? '' : ` [${against.source}]`;
  return `${against.dimension}: “${inLine(against.says, 200)}”${where}`;
}

/** Returns the sentence on a false alarm that the lines which it cites contradict. */
export function contradictedAlarm(claims: readonly CheckedClaim[] = []): string[] {
  const claim = claims.find(({ id, result }) => id === FALSE_ALARM_CLAIM && result === 'contradicted');
  return claim === undefined
    ? []
    : [`The model reports a false alarm, which does not hold. ${whyNot(claim.parts)}.`];
}

/** Returns the sentence on causes that nothing confirms. */
export function unconfirmedReasons(unproven: readonly Unproven[] = []): string {
  const causes = unproven.filter(({ of }) => of === 'cause');
  const [first] = causes;
  if (first === undefined) return 'The cause is not known: no result supports a cause.';
  return `The cause is not known. The model names one that nothing confirms: “${inLine(first.text, 300)}” (${first.why}).`;
}
