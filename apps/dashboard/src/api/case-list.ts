import type { CaseList, CaseListEntry } from '@casefile/contracts';
import { useInfiniteQuery, useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useEvents } from '../live/live-updates.js';
import { searchOf, type CaseFilter } from '../pages/cases/case-filter.js';
import { afterEvent } from '../pages/cases/entry-after-event.js';
import { mergeCases } from '../pages/cases/merge-cases.js';
import { getJson } from './request.js';

const PAGE = 60;

type Paged = InfiniteData<CaseList, string | null>;

function readPage(filter: string, cursor: string | null, signal: AbortSignal): Promise<CaseList> {
  const search = new URLSearchParams(filter);
  search.set('limit', String(PAGE));
  if (cursor !== null) search.set('cursor', cursor);
  return getJson<CaseList>(`/cases?${search.toString()}`, signal);
}

/** The cases that match, newest first, kept up to date: paged through as far as somebody scrolled. */
export function useCaseList(filter: CaseFilter) {
  const client = useQueryClient();
  const key = searchOf(filter);
  const pagedKey = useMemo(() => ['cases', 'paged', key], [key]);
  const paged = useInfiniteQuery({
    queryKey: pagedKey,
    queryFn: ({ pageParam, signal }) => readPage(key, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
  // The first page once more, alone: that is what is read again when something happens.
  const head = useQuery({
    queryKey: ['cases', 'head', key],
    queryFn: ({ signal }) => readPage(key, null, signal),
    initialData: () => client.getQueryData<Paged>(pagedKey)?.pages[0],
    enabled: paged.data !== undefined,
  });
  const cases = useMemo(() => {
    const all = paged.data?.pages.flatMap((page) => page.cases) ?? [];
    return head.data === undefined ? all : mergeCases(head.data.cases, head.data.nextCursor === null, all);
  }, [head.data, paged.data]);
  useEffect(() => {
    if (cases === null) void client.resetQueries({ queryKey: pagedKey });
  }, [cases, client, pagedKey]);
  useEvents((event) => {
    client.setQueryData<Paged>(
      pagedKey,
      (before) => before && mapEntries(before, (entry) => afterEvent(entry, event)),
    );
  });
  return { cases, paged };
}

// The same object when nothing changed, so that nothing is drawn anew.
function mapEntries(data: Paged, change: (entry: CaseListEntry) => CaseListEntry): Paged {
  const pages = data.pages.map((page) => {
    const cases = page.cases.map(change);
    return cases.some((entry, i) => entry !== page.cases[i]) ? { ...page, cases } : page;
  });
  return pages.some((page, i) => page !== data.pages[i]) ? { ...data, pages } : data;
}
