import type { EvolutionList, ShownEvolution, ShownEvolutionDetail } from '@casefile/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PromptAddress } from './prompts.js';
import { getJson, postJson } from './request.js';

const KEY = 'evolutions';
/** Polling interval in milliseconds, because a step of an evolution causes no event of a case. */
const EVERY_MS = 5_000;
/** Author of acts on this page, because there are no accounts yet. */
const BY = 'console';

/** Reads the evolutions of a prompt, the newest first. */
export function useEvolutions({ playbook, name }: PromptAddress) {
  const query = new URLSearchParams({ playbook, prompt: name }).toString();
  return useQuery({
    queryKey: [KEY, playbook, name],
    queryFn: ({ signal }) => getJson<EvolutionList>(`/evolutions?${query}`, signal),
    refetchInterval: EVERY_MS,
  });
}

/** Reads one evolution with its texts and its report. */
export function useEvolution(id: string) {
  return useQuery({
    queryKey: [KEY, id],
    queryFn: ({ signal }) => getJson<ShownEvolutionDetail>(`/evolutions/${encodeURIComponent(id)}`, signal),
    refetchInterval: EVERY_MS,
  });
}

/** Starts an evolution of a prompt. */
export function useStartEvolution({ playbook, name }: PromptAddress) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (chosen: { budgetUsd: number; from?: string }) =>
      postJson<ShownEvolution>('/evolutions', { playbook, prompt: name, by: BY, ...chosen }),
    onSettled: () => client.invalidateQueries({ queryKey: [KEY] }),
  });
}

export type EvolutionActName = 'pause' | 'resume' | 'stop';

/** Pauses, resumes or stops an evolution. */
export function useEvolutionAct(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ act, ...body }: { act: EvolutionActName; reason: string; budgetUsd?: number }) =>
      postJson<ShownEvolution>(`/evolutions/${encodeURIComponent(id)}/${act}`, { ...body, by: BY }),
    onSettled: () => client.invalidateQueries({ queryKey: [KEY] }),
  });
}
