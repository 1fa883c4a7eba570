import type {
  CreateExperiment,
  ExperimentDetail,
  ExperimentList,
  FlagList,
  PromotedExperiment,
  ShownExperiment,
  ShownFlag,
} from '@casefile/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getJson, postJson } from './request.js';

const KEY = 'experiments';
/** Polling interval in milliseconds, because comparisons change without an event. */
const EVERY_MS = 5_000;

const pathOf = (id: string): string => `/experiments/${encodeURIComponent(id)}`;

/** Reads all experiments. */
export function useExperiments() {
  return useQuery({
    queryKey: [KEY],
    queryFn: ({ signal }) => getJson<ExperimentList>('/experiments', signal),
    refetchInterval: EVERY_MS,
  });
}

/** Reads one experiment with the comparison of its arms. */
export function useExperiment(id: string) {
  return useQuery({
    queryKey: [KEY, id],
    queryFn: ({ signal }) => getJson<ExperimentDetail>(pathOf(id), signal),
    refetchInterval: EVERY_MS,
  });
}

/** Reads the flag of an experiment. null: it has none, because it was not started or is no A/B experiment. */
export function useFlag(id: string): ShownFlag | null {
  const { data } = useQuery({
    queryKey: ['flags'],
    queryFn: ({ signal }) => getJson<FlagList>('/flags', signal),
    refetchInterval: EVERY_MS,
  });
  return data?.flags.find(({ name }) => name === flagOf(id)) ?? null;
}

// Equals `experimentFlag` of the contracts library, of which the dashboard may import only types.
const flagOf = (id: string): string => `experiment.${id}`;

/** Author of acts on this page, because there are no accounts yet. */
const BY = 'console';

/** A new experiment, without who creates it. */
export type NewExperimentForm = Omit<CreateExperiment, 'by' | 'actId'>;

/**
 * Creates an experiment and starts it, for one reason. If it cannot start, such as while another experiment of the kind
 * runs, it stays as a draft.
 */
export function useBeginExperiment() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (experiment: NewExperimentForm) => {
      const { id } = await postJson<ShownExperiment>('/experiments', { ...experiment, by: BY });
      return postJson<ShownExperiment>(`${pathOf(id)}/start`, { reason: experiment.reason, by: BY });
    },
    onSettled: () =>
      Promise.all([KEY, 'flags', 'prompts'].map((key) => client.invalidateQueries({ queryKey: [key] }))),
  });
}

/** An act of a person on an experiment, or on its flag (`on`, `off`). `share`: from 0 to 1. */
export type ExperimentActForm =
  | { act: 'start' | 'stop' | 'promote' | 'reset' | 'on' | 'off'; reason: string }
  | { act: 'share'; reason: string; share: number };

/** Acts on an experiment, and reads the changed data again. */
export function useExperimentAct(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ act, ...body }: ExperimentActForm) =>
      act === 'on' || act === 'off'
        ? postJson<ShownFlag>(`/flags/${encodeURIComponent(flagOf(id))}`, { ...body, variant: act, by: BY })
        : postJson<ShownExperiment | PromotedExperiment | ShownFlag>(`${pathOf(id)}/${act}`, {
            ...body,
            by: BY,
          }),
    onSettled: () =>
      Promise.all(
        [KEY, 'flags', 'conditions', 'prompts'].map((key) => client.invalidateQueries({ queryKey: [key] })),
      ),
  });
}
