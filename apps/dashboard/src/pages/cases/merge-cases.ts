import type { CaseListEntry } from '@casefile/contracts';

/**
 * The list as shown: what was paged through, with the newest first page laid over it. A case that is in both is
 * shown as the first page has it. Null: the first page does not reach what was paged through, so cases in between
 * are not known and the list has to be read again.
 */
export function mergeCases(
  head: readonly CaseListEntry[],
  headIsAll: boolean,
  paged: readonly CaseListEntry[],
): CaseListEntry[] | null {
  if (headIsAll || paged.length === 0) return [...head];
  const known = new Set(paged.map(({ caseId }) => caseId));
  if (head.length > 0 && !head.some(({ caseId }) => known.has(caseId))) return null;
  const inHead = new Set(head.map(({ caseId }) => caseId));
  const oldestHead = head.at(-1);
  const rest = paged.filter(({ caseId }) => !inHead.has(caseId));
  // Paged rows that are newer than the end of the first page and yet not on it do not match the filter any more.
  return [...head, ...rest.filter((line) => oldestHead === undefined || isAfter(oldestHead, line))];
}

function isAfter(older: CaseListEntry, line: CaseListEntry): boolean {
  return (
    line.createdAt < older.createdAt || (line.createdAt === older.createdAt && line.caseId < older.caseId)
  );
}

/** Is there a verdict, and did rules make every one? A mark on each row would mark nothing. */
export function decidedByRules(cases: readonly CaseListEntry[]): boolean {
  const verdicts = cases.flatMap(({ verdict }) => verdict ?? []);
  return verdicts.length > 0 && verdicts.every(({ method }) => method === 'heuristic');
}
