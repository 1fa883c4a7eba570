import type { CaseStore } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';

/** Waits until searches find all texts so far. */
export function searchable({ record }: Pick<CaseStore, 'record'>): Promise<void> {
  return until('all texts are searched', async () => {
    const { searchableTo } = await record.listCases({ q: 'a', limit: 1 });
    return searchableTo === null;
  });
}
