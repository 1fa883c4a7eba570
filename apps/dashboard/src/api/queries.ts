import type {
  ConditionList,
  Meta,
  PipelineView,
  PlaybookList,
  QueueList,
  ShownCase,
} from '@casefile/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { readableCase } from './readable-case.js';
import { getJson } from './request.js';

/** Rates and ages change even when no event arrives, so the page polls. */
const PIPELINE_EVERY_MS = 5_000;
const META_EVERY_MS = 30_000;

/** Reads the version of Casefile and the model that it uses. */
export function useMeta() {
  return useQuery({
    queryKey: ['meta'],
    queryFn: ({ signal }) => getJson<Meta>('/meta', signal),
    // The installation may change while the page is open.
    refetchInterval: META_EVERY_MS,
  });
}

/** Reads the current problems of the system. */
export function useConditions() {
  return useQuery({
    queryKey: ['conditions'],
    queryFn: ({ signal }) => getJson<ConditionList>('/conditions', signal),
    refetchInterval: PIPELINE_EVERY_MS,
  });
}

/** Reads everything but the conditions again when an outage of the database begins or ends. */
export function useReadAfterOutage(): void {
  const client = useQueryClient();
  const { data } = useConditions();
  const out = data?.conditions.find(({ id }) => id === 'store_out');
  const state = data === undefined ? null : (out?.since ?? out !== undefined);
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== null && state !== null && before.current !== state)
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'conditions' });
    if (state !== null) before.current = state;
  }, [client, state]);
}

/** Reads the activity of stages, tools and models. */
export function usePipeline() {
  return useQuery({
    queryKey: ['pipeline'],
    queryFn: ({ signal }) => getJson<PipelineView>('/pipeline', signal),
    refetchInterval: PIPELINE_EVERY_MS,
  });
}

/** Reads the depths of the queues. Fails with the cause and the remedy while the queue store does not answer. */
export function useQueues() {
  return useQuery({
    queryKey: ['queues'],
    queryFn: ({ signal }) => getJson<QueueList>('/queues', signal),
    refetchInterval: PIPELINE_EVERY_MS,
    // The next interval asks again.
    retry: false,
    staleTime: 0,
  });
}

/** Reads one case with its whole record; null: none. */
export function useCase(caseId: string | null) {
  return useQuery({
    queryKey: ['case', caseId],
    queryFn: ({ signal }) => getJson<ShownCase>(`/cases/${encodeURIComponent(caseId ?? '')}`, signal),
    select: readableCase,
    enabled: caseId !== null,
  });
}

/** Reads the kinds of case that an alert can open. */
export function usePlaybooks() {
  return useQuery({
    queryKey: ['playbooks'],
    queryFn: ({ signal }) => getJson<PlaybookList>('/playbooks', signal),
    staleTime: Infinity,
  });
}
