import type { AuditList, ShownAuditCheck } from '@casefile/contracts';
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { getJson } from './request.js';

/** Filters of the list, by the parameter names of the API and of the page's URL. */
export const AUDIT_FILTERS = ['actor', 'act', 'caseId'] as const;
export type AuditFilter = Partial<Record<(typeof AUDIT_FILTERS)[number], string>>;

const PAGE = '100';

/** Reads the acts on the audit log, newest first. */
export function useAudit(filter: AuditFilter) {
  return useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) => {
      const search = new URLSearchParams({ limit: PAGE, ...filter });
      if (pageParam !== null) search.set('cursor', pageParam);
      return getJson<AuditList>(`/audit?${search.toString()}`, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
}

/** Checks the whole log, when asked: a long log takes a while. */
export function useAuditCheck() {
  return useMutation({
    mutationFn: (head: string) =>
      getJson<ShownAuditCheck>(`/audit/check${head === '' ? '' : `?head=${encodeURIComponent(head)}`}`),
  });
}
