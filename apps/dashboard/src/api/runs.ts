import type { OpenedRun, OpenRunAsk, RunDiff } from '@casefile/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
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

/** Runs a case again. */
export function useOpenRun(caseId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ask: OpenRunAsk) => postJson<OpenedRun>(`/cases/${caseId}/runs`, ask),
    onSettled: () => client.invalidateQueries({ queryKey: ['case', caseId] }),
  });
}
