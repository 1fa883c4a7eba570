import { t } from '../../strings/text.js';
import type { BulkReviewed } from '@casefile/contracts';

/** Cases of a bulk request with the same effect. */
export interface BulkChange {
  /** Such as `unclear → harmless`, or why the cases were refused. */
  words: string;
  count: number;
}

/** Returns the effects of a bulk request with their counts: changes first, then refusals, each the largest first. */
export function changesIn({ results }: Pick<BulkReviewed, 'results'>): BulkChange[] {
  const changes = new Map<string, number>();
  const refusals = new Map<string, number>();
  for (const { word, becomes, problem } of results) {
    const words = problem === null ? changeInWords(word, becomes) : t('inbox.refused', { problem });
    const counts = problem === null ? changes : refusals;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return [...largestFirst(changes), ...largestFirst(refusals)];
}

function changeInWords(word: string | null, becomes: string | null): string {
  return word === becomes
    ? t('inbox.unchanged', { word: word ?? '-' })
    : `${word ?? '-'} → ${becomes ?? '-'}`;
}

function largestFirst(counts: ReadonlyMap<string, number>): BulkChange[] {
  return [...counts].map(([words, count]) => ({ words, count })).sort((a, b) => b.count - a.count);
}
