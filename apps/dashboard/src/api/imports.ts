import type { ImportList, ListedImport } from '@casefile/contracts';
import { useQuery } from '@tanstack/react-query';
import { getJson } from './request.js';

/** An import moves on without an event, so the page polls: often only while one has not ended. */
const [OFTEN_MS, SELDOM_MS] = [1_000, 15_000];

/** Returns whether an import has ended. */
export const hasEnded = ({ state }: ListedImport): boolean => state === 'done' || state === 'failed';

/** Reads the newest imports. */
export function useImports() {
  return useQuery({
    queryKey: ['imports'],
    queryFn: ({ signal }) => getJson<ImportList>('/imports', signal),
    refetchInterval: ({ state: { data } }) =>
      data?.imports.some((one) => !hasEnded(one)) === true ? OFTEN_MS : SELDOM_MS,
  });
}
