import type {
  Batch,
  BatchAct,
  BatchAsk,
  BatchChoice,
  BatchList,
  BatchMembers,
  BatchPreview,
  CreatedBatch,
} from '@casefile/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getJson, postJson } from './request.js';

const KEY = 'batches';
/** Polling interval while a batch is running, in milliseconds. */
const LOOK_EVERY_MS = 1_000;
const MOVING = ['running', 'applying'];

/** Reads all batches, and polls while one is running. */
export function useBatches() {
  return useQuery({
    queryKey: [KEY],
    queryFn: ({ signal }) => getJson<BatchList>('/batches', signal),
    refetchInterval: ({ state }) =>
      state.data?.batches.some((batch) => MOVING.includes(batch.state)) ? LOOK_EVERY_MS : false,
  });
}

/** Reads one batch, and polls while it is running. */
export function useBatch(id: string) {
  return useQuery({
    queryKey: [KEY, id],
    queryFn: ({ signal }) => getJson<Batch>(`/batches/${id}`, signal),
    refetchInterval: ({ state }) => (MOVING.includes(state.data?.state ?? '') ? LOOK_EVERY_MS : false),
  });
}

/**
 * Reads the cases of a batch, the flipped ones first.
 * @param done Number of completed cases. A change reads the list again.
 */
export function useBatchMembers(id: string, limit: number, done: string) {
  return useQuery({
    queryKey: [KEY, id, 'members', limit, done],
    queryFn: ({ signal }) => getJson<BatchMembers>(`/batches/${id}/members?limit=${limit}`, signal),
    placeholderData: (before) => before,
  });
}

/** Applies an action to a batch. */
export function useActOnBatch(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ act, ...body }: { act: BatchAct; choice?: BatchChoice }) =>
      postJson<Batch>(`/batches/${id}/${act}`, body),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['inbox'] });
      return client.invalidateQueries({ queryKey: [KEY] });
    },
  });
}

/** Counts what applying a batch would do now. */
export function useBatchPreview(id: string) {
  return useMutation({
    mutationFn: (choice: BatchChoice) => postJson<BatchPreview>(`/batches/${id}/preview`, choice),
  });
}

/** Creates a batch that judges cases again. */
export function useCreateBatch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ask: BatchAsk) => postJson<CreatedBatch>('/batches', ask),
    onSettled: () => client.invalidateQueries({ queryKey: [KEY] }),
  });
}

/** Counts the cases of a batch and estimates its cost, without creating the batch. */
export function useBatchEstimate() {
  return useMutation({
    mutationFn: (ask: BatchAsk) => postJson<CreatedBatch>('/batches', { ...ask, dryRun: true }),
  });
}
