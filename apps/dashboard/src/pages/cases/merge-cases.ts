import type { CaseListEntry } from '@casefile/contracts';

/**
 * Merges the newest first page into the loaded pages. A case that is in both is shown as in the first page.
 * Returns null if the first page and the loaded pages do not overlap: cases between them are unknown, and the
 * list has to be read again.
 */
export function mergeCases(
  head: readonly CaseListEntry[],
  headIsAll: boolean,
  paged: readonly CaseListEntry[],
): CaseListEntry[] | null {
  if (headIsAll || paged.length === 0) return [...head];
  const pagedIds = new Set(paged.map(({ caseId }) => caseId));
  if (head.length > 0 && !head.some(({ caseId }) => pagedIds.has(caseId))) return null;
  const inHead = new Set(head.map(({ caseId }) => caseId));
  const oldestHead = head.at(-1);
  const rest = paged.filter(({ caseId }) => !inHead.has(caseId));
  // Loaded rows newer than the end of the first page but not on it no longer match the filter.
  return [...head, ...rest.filter((line) => oldestHead === undefined || isAfter(oldestHead, line))];
}

function isAfter(older: CaseListEntry, line: CaseListEntry): boolean {
  return (
    line.createdAt < older.createdAt || (line.createdAt === older.createdAt && line.caseId < older.caseId)
  );
}

/**
 * Returns whether there are verdicts and rules made all of them. Then a mark on each row would add nothing.
 */
export function decidedByRules(cases: readonly CaseListEntry[]): boolean {
  const verdicts = cases.flatMap(({ verdict }) => verdict ?? []);
  return verdicts.length > 0 && verdicts.every(({ method }) => method === 'heuristic');
}
