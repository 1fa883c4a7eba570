import { useBatches } from '../../api/batches.js';
import { useExperiments } from '../../api/experiments.js';
import type { QueryState } from '../../ui/answer.js';
import { startedTrials, type StartedTrial } from './trial.js';

/** Reads all trials that have begun, the most recent first. */
export function useTrials(): QueryState<StartedTrial[]> {
  const batches = useBatches();
  const experiments = useExperiments();
  const isRead = batches.data !== undefined && experiments.data !== undefined;
  return {
    data: isRead ? startedTrials(batches.data.batches, experiments.data.experiments) : undefined,
    error: batches.error ?? experiments.error,
    refetch: () => Promise.all([batches.refetch(), experiments.refetch()]),
  };
}
