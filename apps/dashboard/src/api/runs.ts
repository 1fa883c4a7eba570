import type { OpenedRun, OpenRunAsk, RunDiff, RunSpans, ShownRun } from '@casefile/contracts';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getJson, postJson } from './request.js';

/**
 * Reads the differences between two runs.
 * @param stand State of the runs. A change reads the differences again.
 */
export function useRunDiff(a: string, b: string, stand: string) {
  return useQuery({
    queryKey: ['run-diff', a, b, stand],
    queryFn: ({ signal }) => getJson<RunDiff>(`/runs/${a}/diff/${b}`, signal),
  });
}

/** Reads what the time of a run was spent on. A new event of the run reads it again. */
export function useRunSpans({ id, trace }: Pick<ShownRun, 'id' | 'trace'>) {
  return useQuery({
    queryKey: ['run-spans', id, trace.at(-1)?.id],
    queryFn: ({ signal }) => getJson<RunSpans>(`/runs/${id}/spans`, signal),
    placeholderData: keepPreviousData,
  });
}

/** Runs a case again. */
export function useOpenRun(caseId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ask: OpenRunAsk) => postJson<OpenedRun>(`/cases/${caseId}/runs`, ask),
    onSettled: () => client.invalidateQueries({ queryKey: ['case', caseId] }),
  });
}
