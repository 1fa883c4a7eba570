import type { RunbookDocument, RunbookList } from '@casefile/contracts';
import { useQuery } from '@tanstack/react-query';
import { getJson } from './request.js';

/** The runbooks that are there. */
export function useRunbooks() {
  return useQuery({
    queryKey: ['runbooks'],
    queryFn: ({ signal }) => getJson<RunbookList>('/runbooks', signal),
  });
}

/** One runbook with every text it had. */
export function useRunbook(name: string) {
  return useQuery({
    queryKey: ['runbook', name],
    queryFn: ({ signal }) => getJson<RunbookDocument>(`/runbooks/${encodeURIComponent(name)}`, signal),
  });
}
