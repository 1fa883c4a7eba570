import type {
  DeadLetterList,
  DeadLetterResults,
  RedriveDeadLetter,
  RedrivenDeadLetter,
  RedriveRequest,
  ShownDeadLetter,
} from '@casefile/contracts';
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { getJson, postJson } from './request.js';

/** Filters of the list, by the parameter names of the API and of the page's URL. */
export const LETTER_FILTERS = ['q', 'reason', 'source', 'from', 'to'] as const;
export type LetterFilterName = (typeof LETTER_FILTERS)[number];
export type LetterFilter = Partial<Record<LetterFilterName, string>>;

const PAGE = '100';

/** Reads the failed work that needs a person, newest first. */
export function useDeadLetters(filter: LetterFilter) {
  return useInfiniteQuery({
    queryKey: ['dead-letters', filter],
    queryFn: ({ pageParam, signal }) => {
      const search = new URLSearchParams({ limit: PAGE, ...filter });
      if (pageParam !== null) search.set('cursor', pageParam);
      return getJson<DeadLetterList>(`/dead-letters?${search.toString()}`, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
}

/** Reads one dead letter with its whole payload. */
export function useLetter(id: string) {
  return useQuery({
    queryKey: ['dead-letter', id],
    queryFn: ({ signal }) => getJson<ShownDeadLetter>(`/dead-letters/${encodeURIComponent(id)}`, signal),
  });
}

/** Sends an alert that intake did not accept through intake again, with its edits. */
export function useRedriveEdited(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (alert: NonNullable<RedriveDeadLetter['alert']>) =>
      postJson<RedrivenDeadLetter>(`/dead-letters/${encodeURIComponent(id)}/redrive`, { alert }),
    onSuccess: () => {
      for (const key of ['dead-letters', 'pipeline', 'inbox'])
        void client.invalidateQueries({ queryKey: [key] });
    },
  });
}

/** An action on dead letters. `redrive` queues them again. `drop` discards them permanently. */
export type LetterAction = { kind: 'redrive'; request: RedriveRequest } | { kind: 'drop'; ids: string[] };

/**
 * Runs the action and reads the list again. Returns how many letters were processed, and why others were not.
 */
export function useLetterAction() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (action: LetterAction) => {
      const body = action.kind === 'redrive' ? action.request : { ids: action.ids };
      return letterOutcome(await postJson<DeadLetterResults>(`/dead-letters/${action.kind}`, body));
    },
    onSettled: () => {
      for (const key of ['dead-letters', 'pipeline', 'inbox', 'case'])
        void client.invalidateQueries({ queryKey: [key] });
    },
  });
}

export interface LetterOutcome {
  went: number;
  /** Reasons why the other letters were not processed, each listed once. */
  problems: string[];
  failed: number;
}

function letterOutcome({ results }: DeadLetterResults): LetterOutcome {
  const refused = results.flatMap((result) => ('problem' in result ? [result.problem.detail] : []));
  return { went: results.length - refused.length, failed: refused.length, problems: [...new Set(refused)] };
}
