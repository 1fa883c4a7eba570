import type { QualityShare } from '@casefile/contracts';
import { wilson } from '@casefile/pipeline';

/** Returns `part` / `of` with its 95 % Wilson interval; all null if nothing was counted. */
export function qualityShare(part: number, of: number): QualityShare {
  if (of === 0) return { part, of, share: null, low: null, high: null };
  return { part, of, share: part / of, ...wilson({ x: part, n: of }) };
}
