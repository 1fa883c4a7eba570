import type { EvidenceItem, JsonObject, Verdict } from '@casefile/contracts';
import type { RiskLevel } from './question.js';

/**
 * Marks the outcome of a low risk that no source has confirmed, for readers who see only the outcome.
 * @param isMarked whether the answer is marked and its explanation states this
 */
export function withUnconfirmed(
  outcome: JsonObject & { riskLevel: RiskLevel; explanation: string },
  items: readonly EvidenceItem[],
  disposition: Verdict['disposition'],
  isMarked: boolean,
): JsonObject {
  if (isMarked) return { ...outcome, unconfirmed: true };
  const why = outcome.riskLevel === 'low' ? whyUnconfirmed(items, disposition) : null;
  if (why === null) return outcome;
  return { ...outcome, explanation: `${outcome.explanation} ${why}`.trim(), unconfirmed: true };
}

function whyUnconfirmed(items: readonly EvidenceItem[], disposition: Verdict['disposition']): string | null {
  const isLookedUp = items.some(({ success, given }) => success && given !== true);
  if (!isLookedUp) return 'Unconfirmed: this low risk rests on no look-up.';
  return disposition === 'review' ? 'Unconfirmed: this low risk needs review.' : null;
}
