import type { CaseList, CaseListEntry, EventRecord } from '@casefile/contracts';
import {
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useEvents } from '../live/live-updates.js';
import { throttle } from '../live/throttle.js';
import { filterSearch, type CaseFilter } from '../pages/cases/case-filter.js';
import { afterEvent } from '../pages/cases/entry-after-event.js';
import { mergeCases } from '../pages/cases/merge-cases.js';
import { getJson } from './request.js';

const PAGE = 60;
/** Interval in ms between searches while texts are not searched yet. */
const SEARCH_AGAIN_MS = 2_000;

type PagedCases = InfiniteData<CaseList, string | null>;

function readPage(filter: string, cursor: string | null, signal: AbortSignal): Promise<CaseList> {
  const search = new URLSearchParams(filter);
  search.set('limit', String(PAGE));
  if (cursor !== null) search.set('cursor', cursor);
  return getJson<CaseList>(`/cases?${search.toString()}`, signal);
}

/** The cases that match, in the order of the filter, kept up to date. More pages are loaded as the user scrolls. */
export function useCaseList(filter: CaseFilter) {
  const client = useQueryClient();
  const key = filterSearch(filter);
  const pagedKey = useMemo(() => ['cases', 'paged', key], [key]);
  const paged = useInfiniteQuery({
    queryKey: pagedKey,
    queryFn: ({ pageParam, signal }) => readPage(key, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    // Shows the previous rows until the new ones arrive, so that the layout does not jump and the focus is
    // kept.
    placeholderData: keepPreviousData,
  });
  const isLoaded = paged.isSuccess && !paged.isPlaceholderData;
  // Reads the first page separately: only this page is read again after an event. The oldest cases stay the same.
  const isNewestFirst = filter.order !== 'oldest';
  const head = useQuery({
    queryKey: ['cases', 'head', key],
    queryFn: ({ signal }) => readPage(key, null, signal),
    initialData: () => client.getQueryData<PagedCases>(pagedKey)?.pages[0],
    enabled: isLoaded && isNewestFirst,
    // No event reports that words were written.
    refetchInterval: ({ state }) => (state.data?.searchableTo == null ? false : SEARCH_AGAIN_MS),
  });
  useMissedEvents(key, isLoaded);
  const cases = useMemo(() => {
    const all = paged.data?.pages.flatMap((page) => page.cases) ?? [];
    return head.data === undefined || !isNewestFirst
      ? all
      : mergeCases(head.data.cases, head.data.nextCursor === null, all);
  }, [head.data, paged.data, isNewestFirst]);
  useEffect(() => {
    if (cases === null) void client.resetQueries({ queryKey: pagedKey });
  }, [cases, client, pagedKey]);
  useEventsIn(pagedKey);
  const { searchableTo = null } = head.data ?? {};
  return { cases, paged, searchableTo };
}

// Events that arrive while the first page loads may be missing from it, and there is no list yet to apply them to.
function useMissedEvents(key: string, isLoaded: boolean): void {
  const client = useQueryClient();
  const missed = useRef(false);
  useEvents(() => {
    if (!isLoaded) missed.current = true;
  });
  useEffect(() => {
    if (!isLoaded || !missed.current) return;
    missed.current = false;
    void client.invalidateQueries({ queryKey: ['cases', 'head', key] });
  }, [client, isLoaded, key]);
}

/**
 * Least time between two updates of the rows, in milliseconds: thousands of events can arrive within a
 * moment.
 */
const APPLY_EVERY_MS = 200;

// Applies events of loaded cases to the list without reading the list again.
function useEventsIn(key: readonly string[]): void {
  const client = useQueryClient();
  const waiting = useRef(new Map<string, EventRecord[]>());
  const apply = useMemo(
    () =>
      throttle(() => {
        const byCase = waiting.current;
        waiting.current = new Map();
        const change = (entry: CaseListEntry): CaseListEntry =>
          (byCase.get(entry.caseId) ?? []).reduce(afterEvent, entry);
        client.setQueryData<PagedCases>(key, (before) => before && mapEntries(before, change));
      }, APPLY_EVERY_MS),
    [client, key],
  );
  useEffect(() => () => apply.cancel(), [apply]);
  useEvents((event) => {
    if (event.caseId === null) return;
    const events = waiting.current.get(event.caseId) ?? [];
    waiting.current.set(event.caseId, [...events, event]);
    apply.call();
  });
}

// Returns the same object if nothing changed, so that nothing is rendered again.
function mapEntries(data: PagedCases, change: (entry: CaseListEntry) => CaseListEntry): PagedCases {
  const pages = data.pages.map((page) => {
    const cases = page.cases.map(change);
    return cases.some((entry, i) => entry !== page.cases[i]) ? { ...page, cases } : page;
  });
  return pages.some((page, i) => page !== data.pages[i]) ? { ...data, pages } : data;
}
