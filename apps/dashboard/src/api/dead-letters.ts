import type { DeadLetterList, DeadLetterResults, RedriveRequest } from '@casefile/contracts';
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { getJson, postJson } from './request.js';

export interface LetterFilter {
  q: string;
  reason: string;
}

const PAGE = '100';

/** Work that waits for a person, newest first. */
export function useDeadLetters({ q, reason }: LetterFilter) {
  return useInfiniteQuery({
    queryKey: ['dead-letters', q, reason],
    queryFn: ({ pageParam, signal }) => {
      const search = new URLSearchParams({ limit: PAGE });
      if (q !== '') search.set('q', q);
      if (reason !== '') search.set('reason', reason);
      if (pageParam !== null) search.set('cursor', pageParam);
      return getJson<DeadLetterList>(`/dead-letters?${search.toString()}`, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });
}

/** What is done about dead letters. `redrive` sends them on their way again, `drop` gives them up for good. */
export type LetterAction = { kind: 'redrive'; request: RedriveRequest } | { kind: 'drop'; ids: string[] };

/** Does it, and reads the list again. Answers how many went, and why others did not. */
export function useLetterAction() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (action: LetterAction) => {
      const body = action.kind === 'redrive' ? action.request : { ids: action.ids };
      return outcomeOf(await postJson<DeadLetterResults>(`/dead-letters/${action.kind}`, body));
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['dead-letters'] });
      void client.invalidateQueries({ queryKey: ['pipeline'] });
      void client.invalidateQueries({ queryKey: ['case'] });
    },
  });
}

export interface LetterOutcome {
  went: number;
  /** Why the others did not, each reason once. */
  problems: string[];
  failed: number;
}

function outcomeOf({ results }: DeadLetterResults): LetterOutcome {
  const refused = results.flatMap((result) => ('problem' in result ? [result.problem.detail] : []));
  return { went: results.length - refused.length, failed: refused.length, problems: [...new Set(refused)] };
}
