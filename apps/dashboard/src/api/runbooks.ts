import type { RunbookDocument, RunbookList } from '@casefile/contracts';
import { useQuery } from '@tanstack/react-query';
import { getJson } from './request.js';

/** Reads all runbooks. */
export function useRunbooks() {
  return useQuery({
    queryKey: ['runbooks'],
    queryFn: ({ signal }) => getJson<RunbookList>('/runbooks', signal),
  });
}

/** Reads one runbook with its earlier texts. */
export function useRunbook(name: string) {
  return useQuery({
    queryKey: ['runbook', name],
    queryFn: ({ signal }) => getJson<RunbookDocument>(`/runbooks/${encodeURIComponent(name)}`, signal),
  });
}
