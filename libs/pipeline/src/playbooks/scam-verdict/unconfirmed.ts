import type { EvidenceItem, Verdict } from '@casefile/contracts';
import type { RiskLevel } from './question.js';

/** Returns a sentence for readers of the outcome alone; null unless the risk is low and nothing has confirmed it. */
export function whyUnconfirmed(
  riskLevel: RiskLevel,
  items: readonly EvidenceItem[],
  disposition: Verdict['disposition'],
): string | null {
  if (riskLevel !== 'low') return null;
  const isLookedUp = items.some(({ success, given }) => success && given !== true);
  if (!isLookedUp) return 'Unconfirmed: this low risk rests on no look-up.';
  return disposition === 'review' ? 'Unconfirmed: this low risk needs review.' : null;
}
