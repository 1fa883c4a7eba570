import type { OpenedRun, OpenRunAsk, RunDiff } from '@casefile/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getJson, postJson } from './request.js';

/** In what two runs differ. @param stand where they stand: it is asked again when that has changed. */
export function useRunDiff(a: string, b: string, stand: string) {
  return useQuery({
    queryKey: ['run-diff', a, b, stand],
    queryFn: ({ signal }) => getJson<RunDiff>(`/runs/${a}/diff/${b}`, signal),
  });
}

/** Makes a run of a case again. */
export function useOpenRun(caseId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ask: OpenRunAsk) => postJson<OpenedRun>(`/cases/${caseId}/runs`, ask),
    onSettled: () => client.invalidateQueries({ queryKey: ['case', caseId] }),
  });
}
