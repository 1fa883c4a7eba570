import type { ConditionList, Meta, PipelineView, PlaybookList, ShownCase } from '@casefile/contracts';
import { useQuery } from '@tanstack/react-query';
import { getJson } from './request.js';

/** Rates and ages go on changing when nothing happens any more. */
const PIPELINE_EVERY_MS = 5_000;
const META_EVERY_MS = 30_000;

/** Which Casefile this is, and which model it asks. */
export function useMeta() {
  return useQuery({
    queryKey: ['meta'],
    queryFn: ({ signal }) => getJson<Meta>('/meta', signal),
    // The installation may change while the page is open.
    refetchInterval: META_EVERY_MS,
  });
}

/** What is wrong now. */
export function useConditions() {
  return useQuery({
    queryKey: ['conditions'],
    queryFn: ({ signal }) => getJson<ConditionList>('/conditions', signal),
    refetchInterval: PIPELINE_EVERY_MS,
  });
}

/** What the stages, tools and models are doing. */
export function usePipeline() {
  return useQuery({
    queryKey: ['pipeline'],
    queryFn: ({ signal }) => getJson<PipelineView>('/pipeline', signal),
    refetchInterval: PIPELINE_EVERY_MS,
  });
}

/** One case with everything on its record. */
export function useCase(caseId: string) {
  return useQuery({
    queryKey: ['case', caseId],
    queryFn: ({ signal }) => getJson<ShownCase>(`/cases/${encodeURIComponent(caseId)}`, signal),
  });
}

/** The kinds of case that an alert can open. */
export function usePlaybooks() {
  return useQuery({
    queryKey: ['playbooks'],
    queryFn: ({ signal }) => getJson<PlaybookList>('/playbooks', signal),
    staleTime: Infinity,
  });
}
