import type { Brief, RunSettings } from '@casefile/contracts';
import { optionsOf, requestIn } from './result.js';

/**
 * When a run has to end with what there is, in milliseconds since the epoch; null: there is no such time. It counts from the
 * request, or from when its asker answered what it was asked.
 */
export function endsBy(brief: Brief, settings: RunSettings): number | null {
  const { endWithinMs } = optionsOf(settings);
  if (endWithinMs === null) return null;
  const answeredAt = requestIn(brief).clarified?.at ?? null;
  const from = [brief.receivedAt, ...(answeredAt === null ? [] : [answeredAt])].map((at) => Date.parse(at));
  return Math.max(...from) + endWithinMs;
}
